"""What means that an object is ready, written for systems that are not Flux.

`roles` has Flux's expressions of a kind, also where Flux needs none; `reading` writes out what Flux
does around them; `languages` say that in other languages; `fill` puts it into the form of a system;
`trial` runs the result over all states of the kind's life. `generate` prints only what agrees with
the life, and says what differs.
"""
