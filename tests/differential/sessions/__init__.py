"""Sessions: pieces of a run that use several connections, or leave one in a special state."""
