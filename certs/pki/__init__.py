"""Keys, certificates and bundles: issued, signed, verified."""
