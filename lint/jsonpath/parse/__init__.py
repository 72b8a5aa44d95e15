"""From a text to the nodes of a template, as client-go's parser reads it."""
