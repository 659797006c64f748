// SPDX-License-Identifier: Apache-2.0
// What the Linux driver of a source asks of the kernel, for a program without one. That the driver
// uses the kernel's own declarations as they are is shown by compiling it against them.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;

struct hwrng {
    const char *name;
    int (*read)(struct hwrng *rng, void *data, size_t max, bool wait);
    unsigned short quality;
};
struct device {
    int unused;
};
struct platform_device {
    struct device dev;
};
struct of_device_id {
    char compatible[128];
};
enum { PROBE_PREFER_ASYNCHRONOUS = 1 };
struct platform_driver {
    int (*probe)(struct platform_device *device);
    struct {
        const char *name;
        const struct of_device_id *of_match_table;
        int probe_type;
    } driver;
};

#ifdef __cplusplus
extern "C" {
#endif
extern struct platform_driver *const driver_of_source;
u32 readl(const void *address);
void writel(u32 word, void *address);
int get_random_bytes_wait(void *data, size_t bytes);
void *devm_kzalloc(struct device *dev, size_t bytes, int flags);
int devm_hwrng_register(struct device *dev, struct hwrng *rng);
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data);
#ifdef __cplusplus
}
#endif

#define GFP_KERNEL 0
#define __iomem
#define IS_ERR(pointer) false
#define PTR_ERR(pointer) 0
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define dev_name(dev) "source"
#define dev_err_probe(dev, error, ...) (error)
#define devm_platform_ioremap_resource(device, number) NULL
#define memzero_explicit(data, bytes) memset(data, 0, bytes)
#define readl_poll_timeout(address, word, condition, look_us, patience_us)       \
    ({                                                                           \
        int looks = 1000;                                                        \
        while ((word) = readl(address), !(condition) && looks) --looks;          \
        looks ? 0 : -ETIMEDOUT;                                                  \
    })
#define module_platform_driver(name) struct platform_driver *const driver_of_source = &name
#define MODULE_DEVICE_TABLE(bus, table)
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)
