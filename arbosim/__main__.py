"""`python -m arbosim` is the command `arbosim`."""

import sys

from arbosim.cli.main import main

sys.exit(main())
