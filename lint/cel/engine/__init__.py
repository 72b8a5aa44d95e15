"""The CEL library: environments, protocol messages, variables, outcomes."""
