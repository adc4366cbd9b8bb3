"""The fault: it writes without end, and never a line."""

import sys

if __name__ == "__main__":
    while True:
        sys.stdout.write("stone " * 1000)
