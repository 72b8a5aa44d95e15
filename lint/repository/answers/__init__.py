"""Parts of the index: what it answers about the objects of a repository and their variables.

From top to bottom:

    clusters    the names in a cluster, and who waits for whom there
    unset_variables  the variables that have no value
    forms       the effective forms of an object
    given_variables  the values of variables in a file
"""
