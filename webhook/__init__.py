"""Admission over HTTPS: judges each object with an expression before the cluster takes it.

From the bottom:

1. `reviews` reads an AdmissionReview, `exemption` says what is never judged, `subject` what of
   an object is. `objection` is what is wrong, `policy` what becomes of it, `ratchet` what the
   old object had already. `admission` decides, `answer` writes the response. No HTTP so far.
2. `judging` runs the engine in a process with limits (`python -m webhook.judging`), `wire` is
   what is said over its pipe, `judging_process` its other end. `lane` keeps one alive, `waiting`
   is the queue before it, `court` the lanes of a worker and `memory` what was judged before.
3. `server` speaks HTTP, `connections` and `limits` bound its clients, `metrics` counts, `logs`
   writes JSON.
4. `certificate` chooses where the certificate comes from, `policy_file` rereads the policy,
   `worker` is a process that serves (`python -m webhook.worker`), `worker_process` the same
   seen from outside, `tether` what the two say to each other. `supervisor` keeps some of
   them, `status` is the port beside, `command` is `celvet serve`, `flags` its options.
"""
