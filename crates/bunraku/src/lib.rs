//! The Puppet language as a library: environments, nodes, catalogs.
