# SPDX-License-Identifier: Apache-2.0
"""Generated files in a folder, of which none replaces a file that was not generated for the same
core."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import InputError
from headwater.files import check_file, write_whole

_RECORD = ".headwater.json"


@dataclass(frozen=True)
class Written:
    """A folder with generated files. A hidden file in it records what was written for which core.

    Members
    -------
    folder : Path
    """

    folder: Path

    def write(self, files: Mapping[str, str], *, core: str, force: bool) -> None:
        """Write files by name; ``force`` replaces any file.

        Parameters
        ----------
        files
            Text by name of the file.
        core
            What tells the core from every other one.
        force
            Whether files that were changed, or made for something else, are replaced.

        Raises
        ------
        InputError
            If a file must not be replaced; then none is written.
        """
        record = self._record()
        for name, text in files.items():
            check_file(self.folder / name)
            known = [core, _hash(self._content(name))]
            if not force and known != record.get(name) and self._content(name) not in ("", text):
                raise InputError(
                    f"{self.folder / name} must be a file that was generated for the same core and "
                    "not changed since, but is not; --force replaces it"
                )
        for name, text in files.items():
            write_whole(self.folder / name, text.encode())
        record |= {name: [core, _hash(text)] for name, text in files.items()}
        write_whole(self.folder / _RECORD, json.dumps(record, indent=1).encode())

    def _content(self, name: str) -> str:
        """The text of a file; empty where there is none."""
        path = self.folder / name
        if not path.is_file():
            return ""
        try:
            return path.read_bytes().decode(errors="replace")
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error

    def _record(self) -> dict[str, list[str]]:
        """Core and hash of each file that was written; empty where nothing is recorded."""
        try:
            found = json.loads((self.folder / _RECORD).read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
