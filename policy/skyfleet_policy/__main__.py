"""`python -m skyfleet_policy`."""

from __future__ import annotations

import sys

from skyfleet_policy.cli import main

sys.exit(main())
