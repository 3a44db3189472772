//! The example of a process that lives long, for a few seconds.

#[path = "../../../examples/long_lived.rs"]
#[expect(dead_code, reason = "the example is a program of its own")]
mod example;

#[test]
fn catalogs_are_those_of_the_command_and_memory_stays() {
    let bunraku = Some(env!("CARGO_BIN_EXE_bunraku").into());
    // The other tests of the machine leave little time, so that much is still new in the second third.
    let work = example::Work { seconds: 4, compilations: usize::MAX, bunraku, growth: 8 << 10 };
    let mut told = Vec::new();
    let result = example::run(&work, &mut |line| told.push(line));
    assert!(result.is_ok(), "{result:?}\n{}", told.join("\n"));
}
