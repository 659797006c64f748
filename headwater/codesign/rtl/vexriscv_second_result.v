  // A custom instruction whose bit 31 is set has two results. The second one belongs to the register
  // behind rd, and is written with the first one by a port of its own. An instruction that reads it
  // waits in decode until it is written; in the cycle after, it takes it from `second_latest`.
  reg  [31:0] second_buffered, second_result, second_latest;
  reg         second_written;
  reg   [4:0] second_register;

  function [4:0] behind(input [31:0] instruction);
    behind = instruction[11:7] + 5'd1;
  endfunction

  // Whether rs2 and rs1 of an instruction are a register that is yet to be written.
  function [1:0] reads(input [31:0] instruction, input gives, input [4:0] register);
    reads = {2{gives}} & {instruction[24:20] == register, instruction[19:15] == register};
  endfunction

  wire execute_gives = execute_arbitration_isValid & execute_CfuPlugin_CFU_ENABLE & execute_INSTRUCTION[31];
  wire memory_gives = memory_arbitration_isValid & memory_CfuPlugin_CFU_IN_FLIGHT & memory_INSTRUCTION[31];
  wire writeBack_gives = writeBack_arbitration_isValid & writeBack_CfuPlugin_CFU_IN_FLIGHT & writeBack_INSTRUCTION[31];
  wire second_writes = writeBack_gives & writeBack_arbitration_isFiring;
  wire [1:0] second_read = reads(decode_INSTRUCTION, execute_gives, behind(execute_INSTRUCTION))
    | reads(decode_INSTRUCTION, memory_gives, behind(memory_INSTRUCTION))
    | reads(decode_INSTRUCTION, writeBack_gives, behind(writeBack_INSTRUCTION));
  wire second_hazard = |(second_read & {decode_RS2_USE, decode_RS1_USE});
  wire [1:0] second_taken = reads(decode_INSTRUCTION, second_written, second_register);

  always @(posedge clk) begin
    if (CfuPlugin_bus_rsp_ready) second_buffered <= CfuPlugin_bus_rsp_payload_outputs_1;
    if (~writeBack_arbitration_isStuck)
      second_result <= CfuPlugin_bus_rsp_rValid ? second_buffered : CfuPlugin_bus_rsp_payload_outputs_1;
    if (second_writes) RegFilePlugin_regFile[behind(writeBack_INSTRUCTION)] <= second_result;
    second_written <= second_writes & ~reset;
    second_register <= behind(writeBack_INSTRUCTION);
    second_latest <= second_result;
  end

