"""What all controllers have in common: the interface of an evaluator, verdicts, and waits.

`unstructured` and `wait_result` mirror libraries that several controllers use, `flux_cel` the one
of Flux's family.
"""
