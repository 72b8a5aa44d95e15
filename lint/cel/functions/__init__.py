"""Functions and conversions in which cel-cpp differs from cel-go, as cel-go has them."""
