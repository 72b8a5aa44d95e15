"""What people write by mistake, and what to write instead."""
