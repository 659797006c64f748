  task automatic instruct(
    input [6:0] funct7, input [2:0] funct3, input [31:0] first, input [31:0] second, output [31:0] result
  );
    begin
      pause;
      cmd_valid = 1'b1;
      cmd_function = {funct7, funct3};
      cmd_first = first;
      cmd_second = second;
      #1;
      while (!cmd_ready) tick;
      tick;
      cmd_valid = 1'b0;
      pause;
      rsp_ready = 1'b1;
      #1;
      while (!rsp_valid) tick;
      result = rsp_result;
      tick;
      rsp_ready = 1'b0;
    end
  endtask

  // Registers, each by the instruction that reaches it.
  task automatic read(input [7:0] register, output [31:0] word);
    case (register)
      DATA: instruct(7'd0, 3'd${funct3.GET}, 32'd0, 32'd0, word);
      STATUS: instruct(7'd0, 3'd${funct3.STATUS}, 32'd0, 32'd0, word);
      default: instruct({1'b0, register[7:2]}, 3'd${funct3.REGISTER}, 32'd0, 32'd0, word);
    endcase
  endtask

  task automatic write(input [7:0] register, input [31:0] word);
    reg [31:0] unused;
    case (register)
      STATUS: instruct(7'd0, 3'd${funct3.CLEAR}, 32'd0, 32'd0, unused);
      LOAD_FIRST: instruct(7'd0, 3'd${funct3.LOAD}, word, 32'd0, unused);
      LOAD_NEXT: instruct(7'd0, 3'd${funct3.LOAD}, word, 32'd1, unused);
{% if registers | selectattr("name", "equalto", "TAG_EXPECTED") | list %}
      TAG_EXPECTED: instruct(7'd0, 3'd${funct3.CHECK}, word, 32'd0, unused);
{% endif %}
      default:
        if (register[7]) instruct({2'd0, register[6:2]}, 3'd${funct3.PUT}, word, 32'd0, unused);
        else instruct({1'b0, register[7:2]}, 3'd${funct3.REGISTER}, word, 32'd1, unused);
    endcase
  endtask
{% if pairs %}

  task automatic load_pair(input first, input [31:0] one, input [31:0] other);
    reg [31:0] unused;
    instruct(first ? 7'd0 : 7'd1, 3'd${funct3.LOAD}, one, other, unused);
  endtask
{% endif %}

