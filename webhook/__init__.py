"""Admission over HTTPS: lints each object with an expression before the cluster stores it.

Layers, top to bottom; `|` separates packages that do not import each other:

    cli                       the options of `celvet serve`
    serve                     the process that serves, put together from the others
    http | judging            requests and answers | judging processes, their queues, the cache
    decide | crds             reviews, and the decision on them | CRDs of the cluster
    metrics | logs | queue
    options | memory_budget | judgement   the answer of a judging process, as records

Inside the packages:

    serve      server > certificate, events, audit
    http       handler | connections > health, answer, client_limits
    judging    pool > process > child > judge; frames
    decide     admission > policy; policy_file > policy; exemption > content > review; new_errors
"""
