"""Certificates of the webhook: an authority, serving certificates, and their rotation.

What holds the parts together, from the bottom:

1. `clock`, `pem`, `names`, `policy`, `pair`: values. `authority` and `leaf` issue,
   `verification` refuses.
2. `bundle` is what is known at one moment, `renewal` decides what it must become, by
   `signing`: pure, with the time given. `material` writes a bundle as named PEM texts and
   reads it back, damaged or not.
3. `stores` changes a stored bundle by compare-and-swap: `file_store` in a directory,
   `secret_store` in a Secret. `publication` says what it is to be published,
   `webhook_configuration` publishes to the API server. `cluster` is the only module that knows
   the Kubernetes client.
4. `tls` swaps the certificate of a running server; `keeper` keeps it fresh from a source, which
   is an `issuer` of our own certificates or `mounted` files that others write.
5. `command` is `celvet certs`: `one_shot` does the work, `inspection` looks, `rendering` prints.
"""
