"""Reports in the cluster itself, as policy engines write them."""
