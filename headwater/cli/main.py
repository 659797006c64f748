# SPDX-License-Identifier: Apache-2.0
"""Entry point of the `headwater` command.

Exit status: 0 done, 1 a check failed, 2 the command could not be carried out, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from headwater.cli import evaluation, facts, production, verification
from headwater.cli.arguments import VERBS, build_parser
from headwater.errors import HeadwaterError, unknown

_HANDLERS = {
    "list": facts.run_list,
    "show": facts.run_show,
    "doctor": facts.run_doctor,
    "keystream": production.run_keystream,
    "generate": production.run_generate,
    "verify": verification.run_verify,
    "evaluate": evaluation.run_evaluate,
}


def main(words: Sequence[str] | None = None) -> int:
    """Carry out one command line; gives the exit status."""
    words = sys.argv[1:] if words is None else words
    try:
        if words and not words[0].startswith("-") and words[0] not in VERBS:
            raise unknown("verb", words[0], VERBS)
        given = build_parser().parse_args(words)
        return _HANDLERS[given.verb](given)
    except HeadwaterError as error:
        print(f"headwater: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("headwater: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of stdout has gone, as with `| head`; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
