"""``python -m siernet``: the command line."""

import sys

from siernet.cli import main

if __name__ == "__main__":
    sys.exit(main())
