  task automatic instruct(
    input [9:0] by, input [31:0] first, input [31:0] second, output [31:0] result
  );
    begin
      pause;
      cmd_valid = 1'b1;
      cmd_function = by;
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
    reg [9:0] by;
    begin
      case (register)
        DATA: by = {7'd0, 3'd${funct3.GET}};
        STATUS: by = {7'd0, 3'd${funct3.STATUS}};
        default: by = {1'b0, register[7:2], 3'd${funct3.REGISTER}};
      endcase
      instruct(by, 32'd0, 32'd0, word);
    end
  endtask

  task automatic write(input [7:0] register, input [31:0] word);
    reg [9:0] by;
    reg second;
    reg [31:0] unused;
    begin
      second = register == LOAD_NEXT;
      case (register)
        STATUS: by = {7'd0, 3'd${funct3.CLEAR}};
        LOAD_FIRST, LOAD_NEXT: by = {7'd0, 3'd${funct3.LOAD}};
{% if registers | selectattr("name", "equalto", "TAG_EXPECTED") | list %}
        TAG_EXPECTED: by = {7'd0, 3'd${funct3.CHECK}};
{% endif %}
        default:
          if (register[7]) by = {2'd0, register[6:2], 3'd${funct3.PUT}};
          else begin
            by = {1'b0, register[7:2], 3'd${funct3.REGISTER}};
            second = 1'b1;
          end
      endcase
      instruct(by, register == STATUS ? 32'd0 : word, {31'd0, second}, unused);
    end
  endtask
{% if pairs %}

  task automatic load_pair(input first, input [31:0] one, input [31:0] other);
    reg [31:0] unused;
    instruct({6'd0, !first, 3'd${funct3.LOAD}}, one, other, unused);
  endtask
{% endif %}

