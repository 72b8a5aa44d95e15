"""The repository around the files of a run: who applies which file, and what changes it on the way.

From top to bottom; a module imports only from those below it:

    templated   what they may ask about the objects that a ResourceSet builds
    surroundings  what rules may ask; loads the rest when they do
    index       the effective objects of a file
    dependencies  which of them wait for each other
    appliers    Flux Kustomizations from the roots downwards, and what each applies
    apply_sites  the directory that one applies, and what it builds there
    sources     which of them have this repository as their source
    resource_sets  what ResourceSets build
    builds      the files of a directory with the transformers that they pass
    providers   ResourceSetInputProviders, wherever they stand
    files       the YAML files below a directory, read when they are asked for
    discover    the walk through directories, with what git ignores left out
    root        the git repository around a directory
"""
