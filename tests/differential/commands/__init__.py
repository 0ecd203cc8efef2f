"""Generators of random operations, one module per family of commands."""
