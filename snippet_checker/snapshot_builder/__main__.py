"""`python -m snippet_checker.snapshot_builder [RELEASE…]`."""

import sys

from snippet_checker.snapshot_builder.build import main

sys.exit(main())
