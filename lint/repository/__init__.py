"""The repository around the files of a run: who applies each file, and what changes it on the way.

From top to bottom; a module imports only from those below it:

    surroundings  answers the questions of rules; loads the rest on demand
    questions   notes them, and asks them again in a later run
    index       the effective objects of a file
    dependencies  which of them wait for each other
    appliers    Flux Kustomizations from the roots downwards
    applications  who applies each file, and how that changes its objects
    apply_sites  the directory that a Kustomization applies, and its build
    sources     which Kustomizations have this repository as their source
    resource_sets  what ResourceSets build
    builds      the files of a directory with the transformers that they pass
    providers   ResourceSetInputProviders in any file
    files       the YAML files below a directory, read on demand
"""
