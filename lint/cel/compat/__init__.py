"""cel-go's semantics on cel-cpp: trees rewritten, messages reworded."""
