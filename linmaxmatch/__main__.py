"""python -m linmaxmatch"""
import sys

from linmaxmatch.cli import main

if __name__ == "__main__":
    sys.exit(main())
