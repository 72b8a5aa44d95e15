"""The program in the archive. A child process of `multiprocessing` starts here too."""

import multiprocessing

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from celvet.__main__ import main

    main()
