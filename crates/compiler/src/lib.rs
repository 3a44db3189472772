//! Evaluates an environment for one node into a catalog.
