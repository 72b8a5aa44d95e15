"""What `celvet suggest` is asked for: kinds by name, in files, of objects; missing entries."""
