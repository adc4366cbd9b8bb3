"""Says what the rules of a tabletop game allow."""
