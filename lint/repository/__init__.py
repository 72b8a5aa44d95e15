"""The repository around the files of a run: who applies which file, and what changes it on the way.

From top to bottom; a module imports only from those below it:

    surroundings  what rules may ask; loads the rest when they do
    index       the effective objects of a file
    dependencies  which of them wait for each other
    appliers    Flux Kustomizations from the roots downwards
    applications  who applies each file, and what that makes of its objects
    apply_sites  the directory that a Kustomization applies, and its build
    sources     which of them have this repository as their source
    resource_sets  what ResourceSets build
    builds      the files of a directory with the transformers that they pass
    providers   ResourceSetInputProviders, wherever they are
    files       the YAML files below a directory, read when they are asked for
"""
