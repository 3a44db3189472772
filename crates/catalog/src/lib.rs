//! What a catalog is: resources, edges, tags, and its wire form.
