"""`python -m snippet_checker`."""

import sys

from snippet_checker.cli import main

sys.exit(main())
