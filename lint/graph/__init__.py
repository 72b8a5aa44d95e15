"""The repository as a graph: who applies whom, and who waits for whom.

From top to bottom; a module imports only from those below it:

    output         a module for each format
    wording        the words for an edge, in all formats
    graph_builder  makes the graph from files
    objects        the objects of files, and the one that a name means
    faults         tests that never succeed; objects that wait for each other
    tree           the graph as a forest, for the formats that need one
    nodes          nodes and edges
    clock          when waiters are ready, by the rules of their controllers
"""
