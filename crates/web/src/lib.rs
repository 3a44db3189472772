//! Requests to web servers that anybody may operate: files that catalogs name by their address, reports that are sent to a
//! program. What servers of Puppet are asked is the business of `agent`, which reads answers as they are read here.

mod client;
mod proxy;
mod response;
mod url;

pub use client::{Question, Web, connect, reason};
pub use response::Response;
pub use url::Url;
