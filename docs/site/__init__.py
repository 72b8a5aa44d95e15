"""The site that is made from these documents: `make site`."""
