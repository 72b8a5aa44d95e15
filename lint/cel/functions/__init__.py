"""Functions and conversions that cel-cpp has otherwise than cel-go."""
