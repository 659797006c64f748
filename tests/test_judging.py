# SPDX-License-Identifier: Apache-2.0
"""Cores that somebody wrote: what is right is found and proven, what is wrong is named."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import Capture
from hand_written import core
from library_needs import needs

from headwater.api.judging import bench
from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.foreign.judging import judge
from headwater.foreign.reading import read_core
from headwater.foreign.settings import Phase, Settings
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.registry import kind_of
from headwater.kinds.stepped.runs import Runs, run_cipher

OWN = [
    ("trivium", 8),
    ("grain_v1", 1),
    ("grain_v1", 8),
    ("bivium", 1),
    ("bivium", 8),
    ("a51", 4),
    ("lizard", 1),
    ("e0", 1),
    ("achterbahn", 1),
    ("mickey2", 1),
]

NOTHING = Settings()


def judged(folder: Path, text: str, cipher: str, settings: Settings = NOTHING) -> Verdict:
    file = folder / "core.v"
    file.write_text(text)
    return judge([file], find(cipher), settings)[0]


def results(verdict: Verdict) -> dict[str, str]:
    return {one.name: one.result for one in verdict.layers}


# --- the description read with runs side by side


@pytest.mark.parametrize("name", ["trivium", "grain_v1", "lizard", "espresso", "mickey2", "a51"])
def test_runs_are_those_of_the_model(name: str) -> None:
    """The model is another reading; the runs are two at once."""
    cipher = run_cipher(find(name))
    bits = cipher.iv_bits[-1]
    model = kind_of(cipher).keystream
    assert model
    draw = random.Random(name)
    sessions = []
    for _ in range(2):
        key = draw.randbytes(cipher.key_bits // 8)
        iv = bytearray(draw.randbytes(-(-bits // 8)))
        if bits % 8:
            iv = bytearray(len(iv))
        sessions.append((key, bytes(iv)))
    strings = [cipher.input_bits(key, iv, bits) for key, iv in sessions]
    pairs = zip(*strings, strict=True)
    both = [[a | b << 1 for a, b in zip(*pair, strict=True)] for pair in pairs]
    runs = Runs(cipher, both[0], both[1], 2)
    for _ in range(cipher.blank_steps):
        runs.step()
    made = [runs.step()[0] for _ in range(64)]
    for number, (one, other) in enumerate(sessions):
        expected = model(cipher, key=one, iv=other, iv_bits=bits).read(64)
        order = range(8) if cipher.bit_order == "lsb_first" else range(7, -1, -1)
        found = [expected[place // 8] >> order[place % 8] & 1 for place in range(64)]
        assert [bit >> number & 1 for bit in made] == found


# --- cores of ours, of which nothing is told


@pytest.mark.parametrize(("name", "radix"), OWN)
def test_own_cores_are_found_and_proven(name: str, radix: int, tmp_path: Path) -> None:
    cipher = find(name)
    verdict = judged(
        tmp_path, generate(cipher, Architecture.choose(cipher, radix=radix)).text, name
    )
    # Key and IV of some enter in steps; Lizard's map is that of its key after the setup.
    setup = OPEN if name in ("a51", "e0", "achterbahn", "lizard", "mickey2") else YES
    assert results(verdict) == {"vectors": YES, "state": YES, "step": YES, "setup": setup}
    assert verdict.radix == radix
    assert verdict.passes
    assert verdict.badge.startswith(f"bench: {name}, {radix} bit")


def test_messages_of_a_cipher_of_bits_go_through_its_streams(tmp_path: Path) -> None:
    cipher = find("grain128aead")
    text = generate(cipher, Architecture.choose(cipher)).text
    verdict = judged(tmp_path, text, "grain128aead")
    assert results(verdict) == {"vectors": YES, "state": OPEN, "step": OPEN, "setup": OPEN}
    assert verdict.passes


def test_a_galois_form_is_sums_of_state_bits(tmp_path: Path) -> None:
    cipher = find("trivium")
    architecture = Architecture.choose(cipher, radix=8, options={"form": "galois"})
    verdict = judged(tmp_path, generate(cipher, architecture).text, "trivium")
    state = next(one for one in verdict.layers if one.name == "state")
    assert re.search(r"\d+ sum", state.text)
    assert results(verdict)["step"] == YES


def test_a_product_that_is_made_early(tmp_path: Path) -> None:
    """MICKEY's core holds products of what is to move its registers; one that is wrong is named."""
    cipher = find("mickey2")
    text = generate(cipher, Architecture.choose(cipher)).text
    verdict = judged(tmp_path, text, "mickey2")
    assert "2 product" in next(one.text for one in verdict.layers if one.name == "state")
    made = "wire feedback_1_next = feedback_s_next & control_s_next;"
    assert made in text
    # The factor is wrong in one state of 2^20.
    rare = made.replace(";", " & ~&s_moved[19:0];")
    wrong = judged(tmp_path, text.replace(made, rare), "mickey2")
    assert wrong.result("step") == NO
    assert wrong.wrong == ["s(99) AND (r(33) + s(67)), in feedback_1, from states that are rare"]


# --- a core written by hand, and its mistakes


@pytest.mark.parametrize("name", ["trivium", "bivium"])
def test_a_core_written_by_hand(name: str, tmp_path: Path) -> None:
    verdict = judged(tmp_path, core(name), name)
    assert set(results(verdict).values()) == {YES}
    assert verdict.ports["reset"] == "!rst_n"
    assert (verdict.key, verdict.iv) == (
        "key, the highest bit is the first",
        "iv, the highest bit is the first",
    )
    # Counted on paper: one cycle loads, 708 or 1152 are blank, and `valid` is one cycle later.
    assert verdict.lacks == ["back-pressure"]


FAULTS = [
    (
        "bivium",
        ("s[66] ^ s[93]", "s[65] ^ s[93]"),
        "a tap is off by one: stage 65 of a instead of 66",
        "b(94), in s[94]",
    ),
    (
        "bivium",
        ("^ s[69]", "^ s[70]"),
        "a tap is off by one: stage 70 of a instead of 69",
        "a(1), in s[1]",
    ),
    (
        "bivium",
        ("s[175] & s[176] ^ s[69]", "s[69]"),
        "b(175) AND b(176) is missing in the input of register a",
        "a(1), in s[1]",
    ),
    (
        "bivium",
        ("{4'b0, iv, 13'b0, key}", "{iv, 17'b0, key}"),
        "the padding of the IV is at the other end of register b",
        "b(94) is loaded with 0",
    ),
    (
        "bivium",
        ("rounds == 708", "rounds == 700"),
        "the warm-up count is 700 steps, not 708",
        "keystream bit 0: it is the output of step 700",
    ),
    (
        "trivium",
        ("3'b111", "3'b000"),
        "the ones that the load puts into register c are zeros",
        "c(286) is loaded with 0, not with 1",
    ),
]


@pytest.mark.parametrize(("name", "change", "cause", "bit"), FAULTS)
def test_each_mistake_is_named(
    name: str, change: tuple[str, str], cause: str, bit: str, tmp_path: Path
) -> None:
    verdict = judged(tmp_path, core(name, change), name)
    assert not verdict.passes
    assert results(verdict)["vectors"] == NO
    assert verdict.causes[0] == cause
    assert verdict.wrong[0].startswith(bit)


def test_no_and_at_all(tmp_path: Path) -> None:
    changes = ("s[91] & s[92] ^ ", ""), ("s[175] & s[176] ^ ", "")
    verdict = judged(tmp_path, core("bivium", *changes), "bivium")
    assert verdict.causes[0] == "no products: every AND is missing"


ORDERS = [
    ("{4'b0, iv, 13'b0, key}", "{4'b0, iv, 13'b0, <key bits>}", "the lowest bit is the first"),
    (
        "{4'b0, iv, 13'b0, key}",
        "{4'b0, iv, 13'b0, <key bytes>}",
        "the lowest byte is the first, and bit 7 of each byte",
    ),
]


@pytest.mark.parametrize(("old", "new", "order"), ORDERS)
def test_order_of_bits_is_found(old: str, new: str, order: str, tmp_path: Path) -> None:
    bits = ", ".join(f"key[{bit}]" for bit in range(80))
    # Bytes in the reverse order, whose bits stay as they are.
    swapped = ", ".join(f"key[{at + 7}:{at}]" for at in range(0, 80, 8))
    text = new.replace("<key bits>", bits).replace("<key bytes>", swapped)
    verdict = judged(tmp_path, core("bivium", (old, text)), "bivium")
    assert verdict.key == f"key, {order}"
    assert verdict.result("vectors") == verdict.result("setup") == YES


def test_a_difference_that_no_random_state_shows(tmp_path: Path) -> None:
    """One state in 2^40 becomes another one."""
    rare = ("^ s[69]}", "^ s[69] ^ (s[40:1] == 40'h9d1c35a7e4)}")
    verdict = judged(tmp_path, core("bivium", rare), "bivium")
    assert results(verdict) == {"vectors": YES, "state": YES, "step": NO, "setup": OPEN}
    assert not verdict.passes
    assert verdict.wrong == ["a(1), in s[1], from states that are rare"]


def test_a_load_that_is_wrong_for_a_rare_key(tmp_path: Path) -> None:
    """One key in 2^40 is loaded as another one."""
    rare = ("13'b0, key}", "13'b0, key ^ {79'b0, key[50:11] == 40'h9d1c35a7e4}}")
    verdict = judged(tmp_path, core("bivium", rare), "bivium")
    assert results(verdict) == {"vectors": YES, "state": YES, "step": YES, "setup": OPEN}
    text = next(one.text for one in verdict.layers if one.name == "setup")
    assert text == "the load differs from this map in 1 of 177 state bits, the first a(1), in s[1]"


def test_one_gate_changed(tmp_path: Path) -> None:
    """Every change of an operator between state bits is refused, and names the bit that is
    wrong."""
    text = core("bivium")
    places = [found.start() for found in re.finditer(r"(?<= )[&^](?= )", text)]
    assert len(places) == 9
    for number, place in enumerate(places):
        for other in sorted(set("&^|") - {text[place]})[number % 2 :][:1]:
            verdict = judged(tmp_path, text[:place] + other + text[place + 1 :], "bivium")
            assert not verdict.passes
            assert verdict.result("step") == NO
            named = re.match(
                r"a\(1\), in s\[1\]|b\(94\), in s\[94\]|keystream bit 0", verdict.wrong[0]
            )
            assert named, verdict.wrong


def test_core_of_another_cipher(tmp_path: Path) -> None:
    verdict = judged(tmp_path, core("bivium"), "trivium")
    assert verdict.causes == ["it gives the keystream of bivium"]


DONE = """\
  reg last;
  always @(posedge clk or negedge rst_n) if (!rst_n) last <= 0; else last <= rounds == 706;
  assign done = last & rounds == 707;
endmodule
"""


def test_a_pulse_of_done_is_the_last_cycle_of_the_setup(tmp_path: Path) -> None:
    changes = [
        ("output z, output reg valid", "output z, output done"),
        ("valid <= 0;", ""),
        ("if (rounds == 708) valid <= 1;\n      else rounds", "if (rounds < 900) rounds"),
        ("endmodule\n", DONE),
    ]
    verdict = judged(tmp_path, core("bivium", *changes), "bivium")
    assert verdict.causes == ["the warm-up count is 707 steps, not 708"]
    right = [
        (old, new.replace("706", "707").replace("== 707;\nend", "== 708;\nend"))
        for old, new in changes
    ]
    verdict = judged(tmp_path, core("bivium", *right), "bivium")
    assert set(results(verdict).values()) == {YES}
    assert "done comes after 708 blank steps" in verdict.layers[-1].text


def test_ivs_whose_first_bit_selects_the_cipher(tmp_path: Path) -> None:
    """With a first IV bit of one the core is another cipher."""
    text = core("bivium", ("^ s[69]", "^ s[69] ^ iv[79]"))
    assert not judged(tmp_path, text, "bivium").passes
    verdict = judged(tmp_path, text, "bivium", Settings(iv_first=0))
    assert results(verdict)["vectors"] == results(verdict)["step"] == YES


def test_a_core_without_an_iv_has_one_of_zeros(tmp_path: Path) -> None:
    changes = ("input [79:0] iv,", ""), ("iv, 13'b0", "93'b0")
    session = Phase({"rst_n": 0, "key": "key"}, 2), Phase({"rst_n": 1}, 1)
    verdict = judged(tmp_path, core("bivium", *changes), "bivium", Settings(session=session))
    assert set(results(verdict).values()) == {YES}
    assert verdict.iv == "zeros, as none enters"
    other = ("input [79:0] iv,", ""), ("iv, 13'b0", "92'b0, 1'b1")
    wrong = judged(tmp_path, core("bivium", *other), "bivium", Settings(session=session))
    assert not wrong.passes


# --- a simulator that shares no code


@pytest.mark.skipif(not shutil.which("iverilog"), reason="needs iverilog")
def test_gates_do_what_the_text_says(tmp_path: Path) -> None:
    """Icarus reads the text itself, from the reset on."""
    file, key, iv = tmp_path / "core.v", 0x0123456789ABCDEF0123, 0xFEDCBA98765432100123
    file.write_text(core("bivium"))
    (tmp_path / "bench.v").write_text(f"""module bench;
  reg clk = 0, rst_n = 0;
  wire z, valid;
  somebodys dut (clk, rst_n, 80'h{key:x}, 80'h{iv:x}, z, valid);
  initial begin
    #1 clk = 1; #1 clk = 0; rst_n = 1;
    repeat (900) begin #1 $display("%b%b", z, valid); clk = 1; #1 clk = 0; end
  end
endmodule
""")
    subprocess.run(
        ["iverilog", "-g2012", "-o", "bench", "bench.v", "core.v"], cwd=tmp_path, check=True
    )
    run = subprocess.run(
        ["vvp", "-n", "bench"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    netlist = read_core([file], Settings()).netlist
    given = {"rst_n": 1, "key": key, "iv": iv}
    state, lines = [0] * len(netlist.q), []
    for _ in range(900):
        inputs = [given[name] >> bit & 1 for name, bit in netlist.input_bits]
        after, outputs = netlist.cycle(state, inputs, 1)
        lines.append("".join(map(str, outputs)))
        state = after
    assert run.stdout.split() == lines


# --- what cannot be judged

CLOCKED = "always @(posedge clk)"
SENTENCES = [
    ("", "must have a module, an entity or a package, but has none"),
    ("module m (input clk; endmodule", r"sources cannot be read at .*core\.v:1: .*"),
    (
        "module m (input clk, d, output reg q); always @* if (clk) q = d; endmodule",
        r"core must have no latch, as there is one at core\.v:1.*",
    ),
    (
        (
            f"module m (input clk, b, d, output reg q, r); {CLOCKED} q <= d; "
            "always @(posedge b) r <= d; endmodule"
        ),
        "core must have one clock, not 2: b, clk",
    ),
    (
        (
            f"module m (input clk, d, output reg q, r); {CLOCKED} q <= d; "
            "always @(negedge clk) r <= d; endmodule"
        ),
        "core must use one edge of its clock, not both",
    ),
    (
        "module m (input clk, d, output q); inner i (clk, d, q); endmodule",
        "module inner, which m uses, must be in the sources, but is not",
    ),
    (
        "module m (input d, output q); assign q = d; endmodule",
        "core must have flip-flops, but has none",
    ),
    (
        (
            "module m (input clk, input [9:0] a, input [7:0] d, output reg [7:0] q); "
            "reg [7:0] w [0:1023]; "
            f"{CLOCKED} begin w[a] <= d; q <= w[a]; end endmodule"
        ),
        (
            r"core must have no memory of more than 4096 bits that is written, as there is one at "
            r"core\.v:1.*"
        ),
    ),
    (
        f"module m (input clk, inout d, output reg q); {CLOCKED} q <= d; endmodule",
        "port d must have one direction, not both",
    ),
    (
        f"module m (input clk, input [79:0] iv, output reg q); {CLOCKED} q <= ^iv; endmodule",
        (
            "key must be one input of 80 bits, not iv (80); add the line: "
            'key = "..." or, if it enters in words, phases under [[session]]'
        ),
    ),
]


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
def test_sources_that_are_refused(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        judged(tmp_path, text, "bivium")
    assert "\n" not in str(error.value)
    pattern = sentence if "\\" in sentence else re.escape(sentence)
    assert re.search(f"{pattern}$", str(error.value))


def test_a_core_without_a_reset_is_not_shown_to_be_right(tmp_path: Path) -> None:
    text = (
        "module m (input clk, input [79:0] key, iv, output z); reg [176:0] s; assign z = s[9]; "
        "always @(posedge clk) s <= {s[175:0], ^s ^ ^key ^ ^iv}; endmodule"
    )
    verdict = judged(tmp_path, text, "bivium")
    assert not verdict.passes
    assert "keystream" in verdict.layers[0].text


def test_a_session_without_end(tmp_path: Path) -> None:
    never = Settings(session=(Phase({"rst_n": 0}, until="valid"),))
    verdict = judged(tmp_path, core("bivium"), "bivium", never)
    assert verdict.layers[0].text == "its load or session did not come to an end"


def test_a_proof_that_takes_too_long_leaves_its_layer_open(tmp_path: Path) -> None:
    file = tmp_path / "core.v"
    file.write_text(core("bivium"))
    verdict, _ = judge([file], find("bivium"), Settings(), limit_s=0.001)
    assert results(verdict) == {"vectors": YES, "state": YES, "step": OPEN, "setup": OPEN}
    assert verdict.passes


# --- the page for authors

PAGE = (Path(__file__).parents[1] / "docs" / "judging-cores.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [text for name, text in found if name == language]


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Its core, its commands and what it says that they print."""
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("verilog")
    assert text == core("bivium")
    right, wrong = blocks("")
    for source, shown, status in ((text, right, 0), (text.replace("s[66]", "s[65]"), wrong, 1)):
        Path("core.v").write_text(source)
        command, _, printed = shown.partition("\n")
        assert main(command.removeprefix("$ headwater ").split()) == status
        assert capsys.readouterr().out == printed


# --- a file that says what cannot be guessed

ENTERING = blocks("toml")[0]
"""The file of the page."""
SERIAL = """\
module serial #(parameter WIDTH = 1) (input clk, rst, load, input [WIDTH-1:0] d, output z);
  reg [159:0] entered;
  reg [177:1] s;
  wire t1 = s[66] ^ s[93];
  wire t2 = s[162] ^ s[177];
  reg going;
  assign z = t1 ^ t2;
  always @(posedge clk)
    if (rst) going <= 0;
    else if (load) begin
      entered <= {d, entered[159:WIDTH]};
      going <= 0;
    end else if (!going) begin
      going <= 1;
      s <= {4'b0, turned(entered[79:0]), 13'b0, turned(entered[159:80])};
    end else
      s <= {s[176:94], t1 ^ s[91] & s[92] ^ s[171], s[92:1], t2 ^ s[175] & s[176] ^ s[69]};
  function [79:0] turned(input [79:0] word);
    integer n;
    for (n = 0; n < 80; n = n + 1) turned[n] = word[79 - n];
  endfunction
endmodule
"""


def test_a_session_in_phases(tmp_path: Path, capsys: Capture) -> None:
    file, ports = tmp_path / "core.v", tmp_path / "ports.toml"
    file.write_text(SERIAL)
    ports.write_text(ENTERING)
    words = ["bench", str(file), "--cipher", "bivium", "--ports", str(ports), "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["result"] for one in found["layers"][:3]] == [YES] * 3
    assert found["badge"].startswith("bench: bivium, 1 bit per cycle, vectors pass, step proven")


WRONG_FILES = [
    (
        "kee = 1",
        (
            "line of {} must be one of top, parameters, include, reset, key, iv, start, "
            "iv_first, keystream, valid, tie, output, first, stream, session, not 'kee' (did "
            "you mean 'key'?)"
        ),
    ),
    ("iv_first = 2", "iv_first in {} must be 0 or 1, not 2"),
    ("key = 1", "key in {} must be a text, not 1"),
    ("key = ", "{} must be TOML: Invalid value (at end of document)"),
    ('key = "k"', "key of the ports must be one of rst_n, key, iv, not 'k'"),
    ("[tie]\nkey = -1", "tie of key in {} must be a number, not -1"),
    (
        "[[session]]\nset = { rst_n = 0 }",
        "a session in {} must say its cycles, or until which output",
    ),
    ('top = "m; !ls"', "name in {} must be letters, digits and _, not 'm; !ls'"),
    ('[parameters]\nW = "1; !ls"', "W in {} must be a number or a name, not '1; !ls'"),
    ('include = "x"', "include in {} must be a list of folders, not 'x'"),
    ("[[session]]\ncycles = 1\nset = { key = 0.5 }", "key in {} must be a number or bits, not 0.5"),
    ("[[session]]\ncycles = 0", "cycles in {} must be between 1 and 100000, not 0"),
]


@pytest.mark.parametrize(("content", "sentence"), WRONG_FILES)
def test_a_wrong_file_of_ports(
    content: str, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    file, ports = tmp_path / "core.v", tmp_path / "ports.toml"
    file.write_text(core("bivium"))
    ports.write_text(content)
    assert main(["bench", str(file), "--cipher", "bivium", "--ports", str(ports)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(f"headwater: {sentence.format(ports)}")


# --- the whole verb


@pytest.mark.skipif(not shutil.which("ghdl"), reason="needs ghdl: apt-get install ghdl")
def test_vhdl(tmp_path: Path) -> None:
    file = tmp_path / "core.vhd"
    file.write_text(VHDL)
    verdict = bench([file], "bivium")
    assert set(results(verdict).values()) == {YES}
    assert verdict.radix == 2
    assert verdict.lacks == ["setup counter", "back-pressure", "clear"]


VHDL = """\
library ieee;
use ieee.std_logic_1164.all;
entity bits is
  port (clk, rst : in std_logic; key, iv : in std_logic_vector(1 to 80);
        z : out std_logic_vector(0 to 1));
end entity;
architecture plain of bits is
  type states is array (0 to 2) of std_logic_vector(177 downto 1);
  signal s : states;
begin
  process (clk) begin
    if rising_edge(clk) then
      if rst = '1' then
        for n in 1 to 80 loop
          s(0)(n) <= key(81 - n);
          s(0)(93 + n) <= iv(81 - n);
        end loop;
        s(0)(93 downto 81) <= (others => '0');
        s(0)(177 downto 174) <= (others => '0');
      else
        s(0) <= s(2);
      end if;
    end if;
  end process;
  both : for n in 0 to 1 generate
    z(n) <= s(n)(66) xor s(n)(93) xor s(n)(162) xor s(n)(177);
    s(n + 1) <= s(n)(176 downto 94)
      & (s(n)(66) xor s(n)(93) xor (s(n)(91) and s(n)(92)) xor s(n)(171)) & s(n)(92 downto 1)
      & (s(n)(162) xor s(n)(177) xor (s(n)(175) and s(n)(176)) xor s(n)(69));
  end generate;
end architecture;
"""


def test_one_sentence_without_ghdl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "core.vhd"
    file.write_text(VHDL)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"^VHDL needs GHDL: .*apt-get install ghdl$"):
        bench([file], "bivium")


@needs("osu018")
def test_cost_is_that_of_the_flow_of_own_cores(tmp_path: Path, capsys: Capture) -> None:
    """osu018 has a flip-flop with an asynchronous reset of 176 um2, and NAND2X1 is 24 um2: what
    these cost, worked out by hand, is less than the whole."""
    file = tmp_path / "core.v"
    file.write_text(core("bivium"))
    assert main(["bench", str(file), "--cipher", "bivium", "--target", "osu018", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (figures,) = found["figures"]
    flip_flops = 177 + 11 + 1
    assert figures["ff"] == found["flip_flops"] == flip_flops
    assert 176 / 24 * flip_flops < figures["ge_smallest"] < 2 * 176 / 24 * flip_flops
    assert figures["throughput_mbps"] == figures["fmax_mhz"]["median"]
    assert found["badge"].endswith(f"{figures['ge_smallest']:g} GE")
