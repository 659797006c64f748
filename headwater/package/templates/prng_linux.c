// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
// ${top}: ${title}, as a hw_random of Linux.
//
// The source has no entropy of its own. Its seed is of the kernel's random numbers, and waits until
// these are ready; what it gives is theirs. So its quality is 1, the least that counts: the kernel
// reads 0 as unknown.
#include <linux/hw_random.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/string.h>

#define ${NAME}_SEED_WORDS ${seed_words}

// Microseconds between two looks at STATUS, and before a function gives up; the setup of a seed
// takes ${setup_cycles} cycles.
#define ${NAME}_LOOK_US 10
#define ${NAME}_PATIENCE_US 10000

{% include "driver_numbers.h" %}

struct ${name} {
    struct hwrng rng;
    void __iomem *registers;
};

// Waits for a bit of STATUS: 0, -ETIMEDOUT, or -EIO after an error.
static int ${name}_wait(struct ${name} *source, u32 bit)
{
    u32 status;
    int late = readl_poll_timeout(source->registers + ${NAME}_STATUS, status,
                                  status & (bit | ${NAME}_STATUS_ERROR),
                                  ${NAME}_LOOK_US, ${NAME}_PATIENCE_US);

    return status & ${NAME}_STATUS_ERROR ? -EIO : late;
}

// The next random word: 0, -EAGAIN or, after it was waited for, -ETIMEDOUT without one, or -EIO.
static int ${name}_take(struct ${name} *source, u32 *word, bool wait)
{
    int result = 0;

    if (wait)
        result = ${name}_wait(source, ${NAME}_STATUS_WORD);
    else if (!(readl(source->registers + ${NAME}_STATUS) & ${NAME}_STATUS_WORD))
        result = -EAGAIN;
    if (result)
        return result;
    *word = readl(source->registers + ${NAME}_RANDOM);
    // An error in between has taken the word.
    return readl(source->registers + ${NAME}_STATUS) & ${NAME}_STATUS_ERROR ? -EIO : 0;
}

// As many bytes as there are in whole words, or why there is none.
static int ${name}_read(struct hwrng *rng, void *data, size_t max, bool wait)
{
    struct ${name} *source = container_of(rng, struct ${name}, rng);
    size_t bytes = 0;
    u32 word;
    int result = 0;

    while (bytes + sizeof(word) <= max) {
        result = ${name}_take(source, &word, wait);
        if (result)
            break;
        memcpy((u8 *)data + bytes, &word, sizeof(word));
        bytes += sizeof(word);
    }
    memzero_explicit(&word, sizeof(word));
    if (bytes)
        return bytes;
    return result == -EAGAIN ? 0 : result;
}

// Bits are no longer offered, to hardware neither, and the source waits for a whole seed.
static void ${name}_clear(void *source)
{
    writel(${NAME}_CONTROL_RESTART, ((struct ${name} *)source)->registers + ${NAME}_CONTROL);
}

// Gives a whole seed, and offers bits once its setup is over.
static int ${name}_seed(struct ${name} *source)
{
    u32 seed[${NAME}_SEED_WORDS];
    int result = get_random_bytes_wait(seed, sizeof(seed));

    if (result)
        return result;
    ${name}_clear(source);
    for (size_t i = 0; i < ${NAME}_SEED_WORDS; ++i)
        writel(seed[i], source->registers + ${NAME}_SEED);
    memzero_explicit(seed, sizeof(seed));
    result = ${name}_wait(source, ${NAME}_STATUS_VALID);
    if (!result)
        writel(${NAME}_CONTROL_ENABLE, source->registers + ${NAME}_CONTROL);
    return result;
}

static int ${name}_probe(struct platform_device *device)
{
    struct device *dev = &device->dev;
    struct ${name} *source = devm_kzalloc(dev, sizeof(*source), GFP_KERNEL);
    int result;

    if (!source)
        return -ENOMEM;
    source->registers = devm_platform_ioremap_resource(device, 0);
    if (IS_ERR(source->registers))
        return PTR_ERR(source->registers);
{% for register, value in identity.items() %}
    if (readl(source->registers + ${NAME}_${register}) != 0x${"%x" % value}u)
        return dev_err_probe(dev, -ENODEV, "another source: ${register} differs\n");
{% endfor %}
    result = devm_add_action_or_reset(dev, ${name}_clear, source);
    if (result)
        return result;
    result = ${name}_seed(source);
    if (result)
        return dev_err_probe(dev, result, "the source does not take its seed\n");
    source->rng.name = dev_name(dev);
    source->rng.read = ${name}_read;
    source->rng.quality = 1;
    return devm_hwrng_register(dev, &source->rng);
}

static const struct of_device_id ${name}_match[] = {
    { .compatible = "${compatible}" },
    { },
};
MODULE_DEVICE_TABLE(of, ${name}_match);

static struct platform_driver ${name}_driver = {
    .probe = ${name}_probe,
    .driver = {
        .name = "${top}",
        .of_match_table = ${name}_match,
        // A seed may have to wait for the kernel's random numbers.
        .probe_type = PROBE_PREFER_ASYNCHRONOUS,
    },
};
module_platform_driver(${name}_driver);

MODULE_DESCRIPTION("${title}");
MODULE_LICENSE("GPL");
