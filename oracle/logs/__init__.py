"""Plays that a program has written down: read, judged by the same checker as a running program, and written."""
