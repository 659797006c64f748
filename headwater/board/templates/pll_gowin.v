  rPLL #(
    .FCLKIN("${oscillator}"), .DEVICE("GW1NR-9C"), .IDIV_SEL(${clock.pll.IDIV_SEL}), .FBDIV_SEL(${clock.pll.FBDIV_SEL}), .ODIV_SEL(${clock.pll.ODIV_SEL})
  ) pll (
    .CLKIN(clk), .CLKOUT(fast), .LOCK(locked), .CLKFB(1'b0), .RESET(1'b0), .RESET_P(1'b0),
    .FBDSEL(6'd0), .IDSEL(6'd0), .ODSEL(6'd0), .PSDA(4'd0), .DUTYDA(4'd0), .FDLY(4'd0),
    .CLKOUTP(), .CLKOUTD(), .CLKOUTD3()
  );
