# SPDX-License-Identifier: Apache-2.0
"""Toggles, and the simulation of netlists."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from library_needs import library, needs
from needs import needs_iverilog, needs_osu018, needs_sta
from small_library import CORE, fake_program

from headwater.errors import InputError, ToolError
from headwater.flow import gatesim
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.liberty import Library
from headwater.flow.power import power
from headwater.flow.toggles import count_toggles


def test_toggles_by_hand() -> None:
    dump = b"""\
$scope module dut $end
$var wire 1 ! a $end
$var wire 1 ! alias $end
$var wire 3 " v [2:0] $end
$upscope $end
$enddefinitions $end
$comment no 1! change $end
#0 $dumpvars x! bx " $end
#2 0! b000 "
#4 1! b11x "
#5 1! b11x "
#6 0! b111 "
#8 1! b010 "
#10 0!
"""
    first, second = count_toggles(io.BytesIO(dump), [2, 6, 10])
    # At 2 everything leaves x: not counted. At 10 the second interval is over.
    assert first.toggles == {"a[0]": 1, "alias[0]": 1, "v[0]": 0, "v[1]": 1, "v[2]": 1}
    assert second.toggles == {"a[0]": 2, "alias[0]": 2, "v[0]": 1, "v[1]": 0, "v[2]": 1}


KEY = [1, 0, 1, 1, 0, 0, 1, 0]


def lfsr(words: int) -> tuple[int, ...]:
    state, output = list(KEY), []
    for _ in range(4 + words):
        output.append(state[0])
        state = [*state[1:], state[0] ^ state[2] ^ state[3] ^ state[4]]
    return tuple(output[4:])


@pytest.fixture
def netlist(osu018: Library, folder: Path) -> str:
    return map_to_cells(CORE, "core", osu018, folder, 1000).verilog


@needs_iverilog
@needs_osu018
def test_keystream_and_activity_of_a_netlist(netlist: str, osu018: Library, folder: Path) -> None:
    run = simulate_gates(netlist, osu018, "core", load_words=KEY, words=255, folder=folder)
    assert run.words == lfsr(255)
    assert (run.setup.cycles, run.running.cycles) == (8 + 4, 255)
    beat = re.search(r"DFFPOSX1 (\w+) \([^;]*\.Q\(beat\)", netlist)
    assert beat
    # The reset leaves `beat` at a known value, so it toggles in every single cycle.
    assert run.setup.activity[beat[1], "Q"] == run.running.activity[beat[1], "Q"] == 1
    # A maximal sequence of period 255 changes its bit 128 times; each stage sees all of it.
    stages = re.findall(r"DFFPOSX1 (\w+) \([^;]*\.Q\((?:s\[\d\]|keystream_payload)\)", netlist)
    assert len(stages) == 8
    assert {run.running.activity[stage, "Q"] for stage in stages} == {128 / 255}
    # Rises with the first word, falls with the first blank step, then rests.
    assert run.running.activity["", "load_valid"] == 0
    assert run.setup.activity["", "load_valid"] == 2 / 12
    assert ("", "clk") not in run.setup.activity


@needs_iverilog
@needs_osu018
def test_no_gate_is_at_an_output(netlist: str, osu018: Library, folder: Path) -> None:
    """Icarus would wake all gates that read a bit of an output whenever one bit of it changes."""
    at_outputs = r"\.\w+\((?:keystream|load_ready)\w*(?:\[\d+\])?\)"
    simulate_gates(netlist, osu018, "core", load_words=KEY, words=8, folder=folder)
    assert re.search(at_outputs, netlist)
    assert not re.search(at_outputs, (folder / "gates.v").read_text())


@needs_iverilog
@needs_sta
@needs_osu018
def test_activity_is_what_power_takes(netlist: str, osu018: Library, folder: Path) -> None:
    run = simulate_gates(netlist, osu018, "core", load_words=KEY, words=64, folder=folder)
    busy = power(netlist, osu018, "core", run.running.activity, 10.0, folder)
    rest = power(netlist, osu018, "core", dict.fromkeys(run.running.activity, 0.0), 10.0, folder)
    assert busy.internal > rest.internal > 0
    assert busy.switching > rest.switching == 0


@needs("ihp_sg13g2")
def test_conditions_know_outputs_that_lead_nowhere(folder: Path) -> None:
    """`beat` takes a one and a zero in turn, and the inverted output of its flip-flop is not used.
    A rise of the clock then costs nothing by itself, a fall 0.0207 pJ while a one is waiting, and
    0.0404 while a zero is: table values at the slew of 18.6 ps, on a straight line to an ideal
    edge. For a flip-flop with two low outputs there is a group of other energies."""
    cells = library("ihp_sg13g2")
    single = map_to_cells(CORE, "core", cells, folder).verilog
    double = single.replace("sg13g2_dfrbpq_1", "sg13g2_dfrbp_1")
    run = simulate_gates(double, cells, "core", load_words=KEY, words=64, folder=folder)
    assert run.words == lfsr(64)
    assert not [pin for _, pin in run.running.activity if pin == "Q_N"]
    (beat,) = re.findall(r"sg13g2_dfrbp_1 (\w+) \([^;]*\.Q\(beat\)", double)
    states = {("f", "CLK"): run.running.states[beat, "CLK"]}
    alone = """\
module top(input clk, input d, output q);
  sg13g2_dfrbp_1 f (.CLK(clk), .D(d), .RESET_B(1'b1), .Q(q));
endmodule
"""
    found = power(alone, cells, "top", {}, 10.0, folder, states=states)
    to_ideal = 0.0186 / (0.0966 - 0.0186)
    one, zero = (
        first + (first - second) * to_ideal
        for first, second in ((0.0206775, 0.0203299), (0.0404243, 0.0391551))
    )
    assert found.internal == pytest.approx((one + zero) / 2 * 1e-12 / 10e-9, rel=0.02)


@needs_iverilog
@needs_osu018
def test_a_wrong_gate_shows(netlist: str, osu018: Library, folder: Path) -> None:
    wrong, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", netlist, count=1)
    assert changes
    run = simulate_gates(wrong, osu018, "core", load_words=KEY, words=64, folder=folder)
    assert run.words != lfsr(64)


def with_a_register_never_set(netlist: str, mixed_in: str, port: str = "keystream_payload") -> str:
    """The netlist with a net XORed to an output: ``held``, which nothing sets, or ``zero``."""
    cells = f"""\
  wire inner, held, zero;
  DFFPOSX1 keeps (.CLK(clk), .D(held), .Q(held));
  XOR2X1 cancels (.A(held), .B(held), .Y(zero));
  XOR2X1 mixes (.A(inner), .B({mixed_in}), .Y({port}));
endmodule"""
    renamed = netlist.replace(f"({port})", "(inner)")
    assert renamed != netlist
    return renamed.replace("endmodule", cells)


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize("port", ["keystream_payload", "keystream_valid", "load_ready"])
def test_unknown_values_that_cancel_out_do_no_harm(
    netlist: str, osu018: Library, folder: Path, port: str
) -> None:
    cancels = with_a_register_never_set(netlist, "zero", port)
    run = simulate_gates(cancels, osu018, "core", load_words=KEY, words=255, folder=folder)
    assert run.words == lfsr(255)
    assert run.running.activity["keeps", "Q"] == 0
    with pytest.raises(ToolError, match=r"^netlist gave words that depend on what registers held"):
        simulate_gates(
            with_a_register_never_set(netlist, "held"),
            osu018,
            "core",
            load_words=KEY,
            words=8,
            folder=folder,
        )


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(
    ("ready", "message"),
    [
        ("assign load_ready = 1'b0;", "netlist gave 0 words in 200 cycles, then none"),
        (
            "assign load_ready = ~count[3]; wire undriven; assign keystream_payload = undriven;",
            "netlist offered a word with unknown bits",
        ),
    ],
)
def test_core_that_does_not_work(
    osu018: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, ready: str, message: str
) -> None:
    monkeypatch.setattr(gatesim, "_CYCLE_LIMIT", 200)
    core = CORE.replace("assign load_ready = ~count[3];", ready)
    if "undriven" in ready:
        core = core.replace("assign keystream_payload = s[7];", "")
        core = core.replace("if (!load_ready || load_valid)", "if (!load_ready)")
    netlist = map_to_cells(core, "core", osu018, folder).verilog
    with pytest.raises(ToolError, match=f"^{message}$"):
        simulate_gates(netlist, osu018, "core", load_words=KEY, words=8, folder=folder)


# Four load words, a data word in each cycle, then four tag words; `beat` toggles in every cycle.
DATA_CORE = """\
module core(input clk, input rst, input [1:0] load_payload, input load_last, input load_valid,
            output load_ready, input [1:0] data_in_payload, input [1:0] data_in_keep,
            input data_in_ad, input data_in_last, input data_in_valid, output data_in_ready,
            output [1:0] data_out_payload, output [1:0] data_out_keep, output data_out_last,
            output data_out_valid, input data_out_ready, output [1:0] tag_payload,
            output tag_valid, input tag_ready, input decrypt, output reg beat);
  reg [7:0] s; reg loaded, sending;
  wire passes = data_in_valid & data_in_ready;
  assign load_ready = ~loaded;
  assign data_in_ready = loaded & ~sending & data_out_ready & ~decrypt;
  assign data_out_keep = data_in_keep & ~{2{data_in_ad}};
  assign data_out_payload = (data_in_payload ^ s[1:0]) & data_out_keep;
  assign data_out_last = data_in_last;
  assign data_out_valid = passes & (data_out_keep != 0);
  assign tag_payload = s[1:0];
  assign tag_valid = sending;
  always @(posedge clk) begin
    beat <= rst ? 1'b0 : ~beat;
    if (load_valid & load_ready) s <= {load_payload, s[7:2]};
    else if (passes) s <= {s[1:0] ^ data_in_payload, s[7:2]};
    else if (sending & tag_ready) s <= {s[1:0], s[7:2]};
    loaded <= ~rst & (loaded | (load_valid & load_last));
    sending <= ~rst & (sending | (passes & data_in_last));
  end
endmodule
"""
WORDS = [(3, 3, 1), (1, 3, 1), (2, 3, 0), (3, 3, 0), (1, 1, 0)]
"""Payload, keep and ad: two words that are associated, three of text, the last not full."""


def simulate_data(netlist: str, osu018: Library, folder: Path) -> gatesim.GateRun:
    return simulate_gates(
        netlist, osu018, "core", load_words=[1, 2, 3, 0], words=4, folder=folder, data_words=WORDS
    )


@needs_iverilog
@needs_osu018
def test_message_through_a_netlist(osu018: Library, folder: Path) -> None:
    netlist = map_to_cells(DATA_CORE, "core", osu018, folder).verilog
    run = simulate_data(netlist, osu018, folder)
    # The state is a queue of words, 1, 2, 3, 0; a data word goes in where one came out.
    queue, given = [1, 2, 3, 0], []
    for payload, keep, ad in WORDS:
        key = queue.pop(0)
        queue.append(key ^ payload)
        given.append(((payload ^ key) & keep, keep, ad))
    assert run.data == tuple(
        (payload, keep, int(number == 4))
        for number, (payload, keep, ad) in enumerate(given)
        if not ad
    )
    assert run.words == tuple(queue)
    assert run.tag is not None
    assert [phase.cycles for phase in run.phases.values()] == [4, 3, 4]
    beat = re.search(r"DFFPOSX1 (\w+) \([^;]*\.Q\(beat\)", netlist)
    assert beat
    for phase in run.phases.values():
        assert phase.activity[beat[1], "Q"] == 1
        assert phase.activity["", "decrypt"] == 0
    # It rises with the fourth load word and falls with the word after it.
    assert run.setup.activity["", "load_last"] == 1 / 4
    # 1 becomes 2, 2 becomes 3, 3 becomes 1; the change to the first text word counts for that.
    assert run.running.activity["", "data_in_payload[1]"] == 2 / 3


@needs_iverilog
@needs_osu018
def test_nothing_is_counted_unasked(osu018: Library, folder: Path) -> None:
    netlist = map_to_cells(DATA_CORE, "core", osu018, folder).verilog
    arguments = {"load_words": [1, 2, 3, 0], "words": 4, "folder": folder, "data_words": WORDS}
    full, quick = (
        simulate_gates(netlist, osu018, "core", **arguments, watch=watch)  # type: ignore[arg-type]
        for watch in (True, False)
    )
    assert (quick.data, quick.words) == (full.data, full.words)
    assert [phase.cycles for phase in quick.phases.values()] == [4, 3, 4]
    assert {len(phase.activity) for phase in quick.phases.values()} == {0}


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("tag_valid = sending", "tag_valid = loaded & load_ready == 0"),
        ("data_out_valid = passes & (data_out_keep != 0)", "data_out_valid = ~loaded"),
        ("data_out_valid = passes & (data_out_keep != 0)", "data_out_valid = 1'b0"),
    ],
)
def test_wrong_order_is_an_error(osu018: Library, folder: Path, right: str, wrong: str) -> None:
    assert right in DATA_CORE
    netlist = map_to_cells(DATA_CORE.replace(right, wrong), "core", osu018, folder).verilog
    message = "netlist took load and data, or gave text and tag, in the wrong order"
    with pytest.raises(ToolError, match=f"^{message}$"):
        simulate_data(netlist, osu018, folder)


def test_key_is_on_no_command_line(
    tiny: Library, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_program(tmp_path, "iverilog", 'printf "%s\\n" "$*" >> arguments', monkeypatch)
    fake_program(tmp_path, "vvp", 'printf "%s\\n" "$*" >> arguments; exit 3', monkeypatch)
    netlist = map_to_cells(CORE, "core", tiny, folder).verilog
    with pytest.raises(ToolError, match=r"^vvp failed with exit status 3"):
        simulate_gates(netlist, tiny, "core", load_words=[0xCAFE], words=1, folder=folder)
    arguments = (folder / "arguments").read_text()
    assert arguments == "-g2005 -o bench.vvp bench.v gates.v\n-n bench.vvp\n"
    assert (folder / "load.hex").read_text() == "cafe\n"
    assert "cafe" not in (folder / "bench.v").read_text().lower()


@pytest.mark.parametrize(
    ("load_words", "words", "message"),
    [
        ([], 1, "load_words must hold at least one word, not none"),
        ([1], 0, "words must be a positive number, not 0"),
    ],
)
def test_nothing_to_simulate(
    tiny: Library, folder: Path, load_words: list[int], words: int, message: str
) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        simulate_gates("", tiny, "core", load_words=load_words, words=words, folder=folder)
