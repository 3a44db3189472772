//! The Ruby that modules carry: resource types read statically, templates and functions run by a helper.
