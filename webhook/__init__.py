"""Admission over HTTPS: lints each object with an expression before the cluster stores it.

Layers, top to bottom; `|` separates packages that do not import each other:

    cli                       the options of `celvet serve`
    serve                     the process that serves, put together from the others
    http | judging            requests and answers | judging processes, their queues, the cache
    decide | crds             reviews, and the decision on them | CRDs of the cluster
    metrics | logs
    options | memory_budget | judgement   the answer of a judging process, as records

Inside the packages:

    serve      server > certificate, status
    http       handler | connections > handshake, answer > limits
    judging    pool > cache, slot > process | queue > child > crd_cache, judge
    decide     admission > policy; policy_file > policy; exemption > content > review; new_errors
"""
