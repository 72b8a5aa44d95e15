"""Certificates of the webhook: an authority, serving certificates, and their rotation.

From top to bottom; each imports only what is below it, and nothing of `lint` or `webhook`:

    cli | serving
    rotation
    stores
    pki
    clock | errors | references | small_file

`cli`: `celvet certs`, the few actions that a running server does not take by itself.
`serving`: `tls` swaps the certificate of a running server, `keeper` keeps it fresh. It takes
certificates from any source: an `Issuer`, or mounted files.
`rotation`: `renewal` decides what a bundle must become at a given time, as pure functions;
`issuer` applies that to a store and publishes the result.
`stores`: a store keeps a bundle and changes it by compare-and-swap; `secret_store` keeps it in a
Secret. `webhook_configuration` publishes the trusted authorities to the API server. Only `cluster`
imports the Kubernetes client.
`pki`: a `bundle` is the serving certificate and the authorities around it, `material` the named
PEM texts that hold one. `authority` and `signing` issue, `verification` checks.
"""
