"""`celvet certs`: makes, shows and replaces certificates by hand."""
