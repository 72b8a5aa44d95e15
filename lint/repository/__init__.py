"""The repository around the files of a run: who applies which file, and what changes it on the way.

From top to bottom; each imports only what stands below it:

    templated   what they may ask about the objects that a ResourceSet builds
    surroundings  what rules may ask; loads the rest when they do
    index       the effective objects of a file
    dependencies  which of them wait for each other
    appliers    Flux Kustomizations: their paths, sources and variables, parents and children
    sources     which of them have this repository as their source
    resource_sets  what ResourceSets build
    builds      the files of a directory with the transformers that they pass
    providers   ResourceSetInputProviders, wherever they stand
    patch_files the files that are patches
    files       the YAML files below a directory, read when they are asked for
    discover    the walk through directories, with what git ignores left out
    root        the git repository around a directory
"""
