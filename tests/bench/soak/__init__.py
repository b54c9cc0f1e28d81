"""A club's evening in which everything dies, again and again; see ``__main__``."""
