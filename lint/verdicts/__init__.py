"""What all controllers share: the interface of an evaluator, verdicts, and waits for them.

`unstructured` and `wait_result` mirror libraries that several controllers use, `flux_cel` the one
of Flux's family.
"""
