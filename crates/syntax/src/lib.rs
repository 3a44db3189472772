//! The Puppet language's text: sources, tokens, syntax tree, static validation.
