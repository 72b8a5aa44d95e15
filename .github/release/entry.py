"""The program in the archive. A child process of `multiprocessing` starts here too."""

import sys

if __name__ == "__main__":
    if not {"-c", "--multiprocessing-fork"}.isdisjoint(sys.argv):  # as such a child may be started
        import multiprocessing

        import pyi_rth_multiprocessing  # noqa: F401 - finds out whether it is one

        multiprocessing.freeze_support()
    from celvet.__main__ import main

    main()
