"""Does a root end by itself? The table of outlooks, and the row that the life of a kind gives."""
