# SPDX-License-Identifier: Apache-2.0
# From reset to main(); traps. Processors without control registers (HAS_CSR 0) have no traps.

    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, _stack_top
#if HAS_CSR
    la      t0, vectors
    csrw    mtvec, t0
#endif
#if CPU_VEXRISCV
    li      t0, 0x80000000          # custom instructions are off after reset; so are external
    csrw    0xBC0, t0               # interrupts, whose mask the other bits are
#endif
#if INTERRUPTS
    li      t0, 0x80                # the timer's interrupt
    csrw    mie, t0
    csrsi   mstatus, 8
#endif
    call    main
    li      t0, 0xf0000000
    li      t1, -1
    sw      t1, 0(t0)               # the end of the run
1:  j       1b

#if HAS_CSR
    .text
    .balign 256
vectors:                            # one entry for each cause, where interrupts are vectored
    .rept   32
    .option push
    .option norvc
    j       trap
    .option pop
    .endr

trap:
    addi    sp, sp, -8
    sw      t0, 0(sp)
    sw      t1, 4(sp)
    csrr    t0, mcause
    bgez    t0, fault
    la      t0, interrupts_taken
    lw      t1, 0(t0)
    addi    t1, t1, 1
    sw      t1, 0(t0)
    li      t0, 0x01000000
    or      t1, t1, t0
    li      t0, 0xf0000000
    sw      t1, 0(t0)               # told to the harness
    sw      zero, 4(t0)             # acknowledged
    lw      t0, 0(sp)
    lw      t1, 4(sp)
    addi    sp, sp, 8
    mret

fault:                              # tell the harness which one, and end the run
    li      t1, 0xdead0000
    or      t0, t0, t1
    li      t1, 0xf0000000
    sw      t0, 0(t1)
    li      t0, -1
    sw      t0, 0(t1)
1:  j       1b

    .bss
    .globl  interrupts_taken
    .balign 4
interrupts_taken:
    .space  4
#endif
