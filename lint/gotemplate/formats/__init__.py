"""Values as text, as Go writes them: quoted, printed with `fmt`, in JSON and in YAML."""
