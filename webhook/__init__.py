"""Admission over HTTPS: lints each object with an expression before the cluster stores it.

Layers, top to bottom; `|` separates packages that do not import each other:

    cli                       the options of `celvet serve`
    serve                     the process that serves, put together from the others
    http | judging            requests and answers | judging processes, their queues, the cache
    decide | crds             reviews, and the decision on them | CRDs of the cluster
    metrics | logs
    options | memory | judgement   what a judging process says of a review, as records

Inside the packages:

    serve      server > certificate, status
    http       handler | connections > handshake, answer > limits
    judging    pool > slot > process | queue > child > judge > new_errors, summary | crd_cache
    decide     admission > policy; policy_file > policy; exemption > content > review
"""
