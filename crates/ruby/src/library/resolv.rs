//! `Resolv`: messages to name servers, through the world.

use std::time::Duration;

use bunraku_environment::world::Channel;

use crate::interpreter::class::Kind;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::value::Value;

/// How long one answer is waited for, in seconds.
const LONGEST: f64 = 60.0;

pub(super) fn define(core: &Core) {
    let class = core.class_named("Resolv", Kind::Class, Some(&core.object));
    core.add_own(&class, OWN);
}

const OWN: &[Row] = &[
    // The answer of a server to a message; nothing if there is none.
    Row("__ask", 5, 5, |vm, _, args| {
        let (server, message) = (vm.text(args.at(0))?, vm.to_str(args.at(2))?.bytes.borrow().clone());
        let port = u16::try_from(vm.to_int(args.at(1))?).unwrap_or(53);
        let seconds = vm.float_argument(args.at(4))?.clamp(0.0, LONGEST);
        let world = vm.outside("ask name servers")?;
        let channel = if args.at(3).is_truthy() { Channel::Framed } else { Channel::Datagram };
        let answer = world.ask_server(&server, port, &message, channel, Duration::from_secs_f64(seconds));
        Ok(answer.map_or(Value::Nil, Value::binary))
    }),
];
