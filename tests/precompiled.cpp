// Here only because a precompiled header belongs to a target with a source.
