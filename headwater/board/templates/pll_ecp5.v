  EHXPLLL #(
    .CLKI_DIV(${clock.pll.CLKI_DIV}), .CLKFB_DIV(${clock.pll.CLKFB_DIV}), .CLKOP_DIV(${clock.pll.CLKOP_DIV}), .CLKOP_ENABLE("ENABLED"),
    .CLKOP_CPHASE(${clock.pll.CLKOP_DIV // 2 - 1}), .CLKOP_FPHASE(0), .FEEDBK_PATH("CLKOP")
  ) pll (
    .CLKI(clk), .CLKFB(fast), .CLKOP(fast), .LOCK(locked), .RST(1'b0), .STDBY(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );
