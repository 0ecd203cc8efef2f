"""Generators of random Lua scripts, one module per part of the language or library."""
