"""The repository around the files of a run: who applies each file, and what changes it on the way.

From top to bottom; a module imports only from those below it:

    surroundings  passes on the questions of rules; loads the rest on demand
    question_log  records them, and asks them again in a later run
    questions   their fields and the types of their answers
    index       answers them from the files
    answers     the parts of it: forms of objects, names in a cluster, values of variables
    dependencies  finds objects that wait for each other
    appliers    Flux Kustomizations from the roots downwards
    applications  who applies each file, and how that changes its objects
    apply_sites  the directory that a Kustomization applies, and its build
    sources     which Kustomizations have this repository as their source
    template_objects  what ResourceSets build, and a FluxInstance makes
    variables   those of a Kustomization, and what they replace in an object
    builds      the files of a directory with the transformers that they pass
    providers   ResourceSetInputProviders in any file
    files       the YAML files below a directory, read on demand
    documents   the documents of a file, as kustomize reads them
"""
