"""The repository as a graph: who applies whom, and who waits for whom.

From top to bottom; a module imports only from those below it:

    output      a module for each format
    wording     what all formats say of an edge
    build       from files to the graph
    names       from a name to the object that it means
    faults      tests that never succeed; objects that wait for each other
    model       nodes and edges
"""
