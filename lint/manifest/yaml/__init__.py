"""From the text of a document to nodes and values, with the place of each."""
