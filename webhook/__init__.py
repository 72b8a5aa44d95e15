"""Admission over HTTPS: lints each object with an expression before the cluster stores it.

Layers, top to bottom; `|` separates packages that do not import each other:

    cli                     the options of `celvet serve`
    process                 supervisor, workers, the channel between them
    http | judging          requests and answers | lint in child processes
    decide | crds           the decision on a review | CRDs of the cluster
    metrics | logs
    options | lint_result   the findings of one object as records

Inside the packages:

    process    supervisor > worker_process > channel; worker > certificate, channel
    http       server | connections > answer > limits
    judging    pool > slot > process | queue > protocol; pool > cache; child > protocol, summary
    decide     admission > exemption | new_errors > normalize | policy | review > json_depth
"""
