# SPDX-License-Identifier: Apache-2.0
"""``python -m headwater`` is the command ``headwater``."""

from headwater.cli.main import main

raise SystemExit(main())
