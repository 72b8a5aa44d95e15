"""What several rules share; a module of this folder is no rule."""
