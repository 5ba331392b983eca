"""Queries: the spider's ``query=`` argument, and generic and taxonomic expansion."""
