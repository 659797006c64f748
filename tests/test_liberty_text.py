# SPDX-License-Identifier: Apache-2.0
"""Groups and attributes of a liberty text."""

from __future__ import annotations

import pytest

from headwater.errors import InputError
from headwater.flow.liberty_text import read_group, with_cells_alone

TEXT = """\
/* A library { that is ( small. */
library (tiny) {
  time_unit : "1ns";
  comment : "of { braces; and : colons";
  nom_voltage : 1.8 ;
  slope : 1.5
  capacitive_load_unit (1, pf);
  define(\"kind\", "cell", string);
  cell (one) {
    area : 2; /* um2 */
    pin ("A", "B") { direction : input; capacitance : 0.5; }
    pin(Y) {
      internal_power () {
        when : "A * \\
                !B";
        power (by_both) {
          index_1 ("1.0, 2.0");
          values ( \\
            "1.0, -2.5e-3", \\
            "3.0  4.0");
        };
      }
    }
  }
  cell("two") { area : 3; }
  cell (three) { area : 4; }
}
"""
ENDINGS = {"unix": "\n", "dos": "\r\n"}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_every_form_is_read(ending: str) -> None:
    library = read_group(TEXT.replace("\n", ending))
    assert (library.kind, library.name) == ("library", "tiny")
    assert library.attributes == {
        "time_unit": "1ns",
        "comment": "of { braces; and : colons",
        "nom_voltage": "1.8",
        "slope": "1.5",
    }
    load = library.first("capacitive_load_unit")
    assert load
    assert load.arguments == ["1", "pf"]
    one, two, three = library.all("cell")
    assert [cell.name for cell in (one, two, three)] == ["one", "two", "three"]
    assert [cell.attributes["area"] for cell in (one, two, three)] == ["2", "3", "4"]
    inputs, output = one.all("pin")
    assert inputs.arguments == ["A", "B"]
    assert inputs.attributes == {"direction": "input", "capacitance": "0.5"}
    energies = output.first("internal_power")
    assert energies
    assert energies.attributes["when"].split() == ["A", "*", "!B"]
    table = energies.first("power")
    assert table
    assert table.name == "by_both"
    assert table.numbers("index_1") == [1.0, 2.0]
    assert table.numbers("values") == [1.0, -0.0025, 3.0, 4.0]
    assert table.numbers("index_2") == []


@pytest.mark.parametrize("wanted", [(), ("one",), ("two",), ("three",), ("one", "three")])
def test_a_library_without_other_cells_is_whole(wanted: tuple[str, ...]) -> None:
    library = read_group(with_cells_alone(TEXT, wanted))
    assert library.attributes["nom_voltage"] == "1.8"
    # The last cell stays.
    assert [cell.name for cell in library.all("cell")] == [
        name for name in ("one", "two", "three") if name in {*wanted, "three"}
    ]


DAMAGED = {
    "nothing": "",
    "cut off": TEXT[:300],
    "one brace too many": TEXT + "}\n",
    "two libraries": TEXT + TEXT,
    "no liberty": "module core (input clk); endmodule\n",
    "an open string": TEXT.replace('"1ns"', '"1ns'),
    "an open list": TEXT.replace("(1, pf);", "(1, pf;"),
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^a liberty text must be one library, which this is not"):
        read_group(text)
