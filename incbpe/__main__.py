"""python -m incbpe"""
import sys

from incbpe.cli import main

if __name__ == "__main__":
    sys.exit(main())
