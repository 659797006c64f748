// SPDX-License-Identifier: Apache-2.0
// ${core} checks itself. After a reset it takes the words of one vector, and gives characters: which
// vector, what ${core} made of it in hexadecimal digits, PASS or FAIL.
// Vector:   ${vector.name}
// Origin:   ${origin}

module ${top} (
  input  wire       clk,
  input  wire       rst,
  output reg  [7:0] char,
  output reg        char_valid,
  input  wire       char_ready,
  output reg        done,                     // the last character is taken
  output reg        passed                    // nothing differed so far
);

{% for stream in inputs %}
  // ${stream.name}: ${stream.words} words in
  reg  [${stream.place_bits - 1}:0] ${stream.name}_place;
  reg  [${stream.width - 1}:0] ${stream.name}_word;
  wire ${stream.name}_ready;
  wire ${stream.name}_valid = ${stream.name}_place != ${stream.place_bits}'d${stream.words};
  always @* begin
    case (${stream.name}_place)
{% for place, value in stream.cases %}
      ${stream.place_bits}'d${place}: ${stream.name}_word = ${value};
{% endfor %}
      default: ${stream.name}_word = ${stream.default};
    endcase
  end
  always @(posedge clk)
    if (rst) ${stream.name}_place <= ${stream.place_bits}'d0;
    else if (${stream.name}_valid && ${stream.name}_ready) ${stream.name}_place <= ${stream.name}_place + ${stream.place_bits}'d1;

{% endfor %}
  // The words of the streams out, one stream after the other: in each the first bit as bit 0.
  reg  [${stream_bits - 1}:0] stream;
  reg  [${place_bits - 1}:0] place;
  wire take;
{% for stream in outputs %}
{% for name, width in stream.wires.items() %}
  wire [${width - 1}:0] ${stream.name}_${name};
{% endfor %}
  wire ${stream.name}_valid;
  wire ${stream.name}_ready = take && stream == ${stream_bits}'d${loop.index0};
{% endfor %}
  reg  [${width - 1}:0] word, counts;               // a word, and which bits of it count
  reg  word_valid, word_right, more;          // its marks are right; words are still to come
  always @* begin
    word = ${width}'d0;
    word_valid = 1'b0;
    word_right = 1'b1;
    more = 1'b0;
    case (stream)
{% for stream in outputs %}
      ${stream_bits}'d${loop.index0}: begin
        word[${stream.width - 1}:0] = ${stream.turned};
        word_valid = ${stream.name}_valid;
        more = place != ${place_bits}'d${stream.words};
{% if stream.marks %}
        word_right = {${stream.marks}} == ${stream.name}_marks;
{% endif %}
      end
{% endfor %}
      default: ;
    endcase
  end
{% for stream in outputs if stream.marks %}
  reg [${stream.marks_rom.width - 1}:0] ${stream.name}_marks;
  always @* begin
    case (place)
{% for at, value in stream.marks_rom.cases %}
      ${place_bits}'d${at}: ${stream.name}_marks = ${value};
{% endfor %}
      default: ${stream.name}_marks = ${stream.marks_rom.default};
    endcase
  end
{% endfor %}
  always @* begin
    case ({stream, place})
{% for at, value in counts.cases %}
      ${stream_bits + place_bits}'d${at}: counts = ${value};
{% endfor %}
      default: counts = ${counts.default};
    endcase
  end

  // Words become bits, and those that count bytes.
  reg [${width - 1}:0] bits, counting;
  reg [${left_bits - 1}:0] left;                        // bits of the word that are still to come
  reg [7:0] byte_bits;
  reg [3:0] filled;                           // bits of the byte
  wire full = filled[3];
  reg printed;                                // the byte was taken
  reg reading;                                // words are wanted
  wire starved = left == ${left_bits}'d0;
  assign take = reading && starved && !full && more;
  wire spent = reading && starved && !full && !more;
  always @(posedge clk)
    if (rst) begin
      place <= ${place_bits}'d0;
      stream <= ${stream_bits}'d0;
      left <= ${left_bits}'d0;
      filled <= 4'd0;
    end else begin
      if (printed) filled <= 4'd0;
      if (take && word_valid) begin
        place <= place + ${place_bits}'d1;
        bits <= word;
        counting <= counts;
        left <= ${left_bits}'d${width};
      end else if (!starved && !full) begin
        bits <= bits >> 1;
        counting <= counting >> 1;
        left <= left - ${left_bits}'d1;
        if (counting[0]) begin
{% if lsb_first %}
          byte_bits <= {bits[0], byte_bits[7:1]};
{% else %}
          byte_bits <= {byte_bits[6:0], bits[0]};
{% endif %}
          filled <= filled + 4'd1;
        end
      end
      if (spent) begin
        stream <= stream + ${stream_bits}'d1;
        place <= ${place_bits}'d0;
      end
    end

  // What must come out, as bytes
  reg [${byte_place_bits - 1}:0] byte_place;
  reg [7:0] expected;
  always @* begin
    case (byte_place)
{% for at, value in expected.cases %}
      ${byte_place_bits}'d${at}: expected = ${value};
{% endfor %}
      default: expected = ${expected.default};
    endcase
  end

  // The text. Beyond the characters of ASCII: the bytes of a stream; the verdict; the end.
  localparam [7:0] BYTES = 8'h80, VERDICT = 8'h81, END = 8'h82;
  reg [${text_place_bits - 1}:0] text_place;
  reg [7:0] code;
  always @* begin
    case (text_place)
{% for at, value in text.cases %}
      ${text_place_bits}'d${at}: code = ${value};
{% endfor %}
      default: code = ${text.default};
    endcase
  end

  reg [1:0] part;                             // of a byte its digits, of the verdict its letters
  wire [3:0] digit = part[0] ? byte_bits[3:0] : byte_bits[7:4];
  always @* begin
    char = code;
    char_valid = 1'b0;
    reading = 1'b0;
    case (code)
      BYTES: begin
        reading = 1'b1;
        char = digit < 4'd10 ? 8'h30 + {4'd0, digit} : 8'h57 + {4'd0, digit};
        char_valid = full;
      end
      VERDICT: begin
        char_valid = 1'b1;
        case (part)
          2'd0: char = passed ? "P" : "F";
          2'd1: char = "A";
          2'd2: char = passed ? "S" : "I";
          2'd3: char = passed ? "S" : "L";
        endcase
      end
      END: ;
      default: char_valid = 1'b1;
    endcase
    printed = code == BYTES && full && char_ready && part[0];
  end
  wire sent = char_valid && char_ready;

  always @(posedge clk)
    if (rst) begin
      text_place <= ${text_place_bits}'d0;
      byte_place <= ${byte_place_bits}'d0;
      part <= 2'd0;
      done <= 1'b0;
      passed <= 1'b1;
    end else begin
      if (take && word_valid && !word_right) passed <= 1'b0;
      if (printed) begin
        byte_place <= byte_place + ${byte_place_bits}'d1;
        if (byte_bits != expected) passed <= 1'b0;
      end
      case (code)
        BYTES: begin
          if (sent) part <= part[0] ? 2'd0 : 2'd1;
          if (spent) text_place <= text_place + ${text_place_bits}'d1;
        end
        VERDICT: if (sent) begin
          part <= part + 2'd1;
          if (part == 2'd3) text_place <= text_place + ${text_place_bits}'d1;
        end
        END: done <= 1'b1;
        default: if (sent) text_place <= text_place + ${text_place_bits}'d1;
      endcase
    end

  ${core} core (
{% for port, wire in connections.items() %}
    .${port}(${wire})${"" if loop.last else ","}
{% endfor %}
  );
endmodule
