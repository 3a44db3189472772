//! `tidy`: removes old files.

use crate::resource_type::{Attribute, ResourceType};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "tidy",
        [
            Attribute::parameter("path"),
            Attribute::parameter("recurse").values(["true", "false", "inf"]).patterns(["^[0-9]+$"]),
            Attribute::parameter("max_files").patterns(["^[0-9]+$"]).default_value("0"),
            Attribute::parameter("matches"),
            Attribute::parameter("backup"),
            Attribute::parameter("age"),
            Attribute::parameter("size"),
            Attribute::parameter("type").values(["atime", "mtime", "ctime"]).default_value("atime"),
            Attribute::parameter("rmdirs").boolean(),
        ],
    )
    .namevars(["path"])
    .not_isomorphic()
}
