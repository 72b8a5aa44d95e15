"""The repository as a graph: who applies whom, and who waits for whom.

From top to bottom; a module imports only from those below it:

    output      a module for each format
    wording     the words for an edge, in all formats
    build       makes the graph from files
    names       finds the object that a name means
    faults      tests that never succeed; objects that wait for each other
    model       nodes and edges
"""
