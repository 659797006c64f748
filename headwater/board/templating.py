# SPDX-License-Identifier: Apache-2.0
"""Texts from the templates beside this file."""

from __future__ import annotations

from pathlib import Path

from headwater.templating import Templates

rendered = Templates(Path(__file__).with_name("templates")).rendered
