//! The type system: instances, assignability and inference over much data.

use std::fmt::Write;

use super::Workload;
use super::language::thousands;

pub(super) fn data(count: usize) -> Workload {
    Workload::new(
        "data",
        format!("Array[Data] over {} elements", thousands(count)),
        100,
        format!(
            "$a = Integer[1, {count}].map |$x| {{ {{ 'a' => [$x, 'b'], 'c' => undef }} }}\n\
             $r = Integer[1, 5].map |$i| {{ $a =~ Array[Data] }}\nnotice($r.size)"
        ),
    )
}

pub(super) fn recursive_aliases() -> Workload {
    let mut code = String::from("type Leaf = Variant[Integer, String]\n");
    for level in 0..30 {
        let below = if level == 0 { "Leaf".to_owned() } else { format!("T{}", level - 1) };
        _ = writeln!(code, "type T{level} = Variant[{below}, Array[T{level}], Hash[String, {below}]]");
    }
    code.push_str(
        "$r = Integer[1, 300].map |$i| { [T29 >= T15, T15 >= T29, T29 >= Array[T10], \
         T20 >= Hash[String, Integer], [[1], { 'a' => 2 }] =~ T29] }\nnotice($r.size)",
    );
    Workload::new("aliases", "assignability of 30 recursive aliases", 100, code)
}

pub(super) fn structs() -> Workload {
    let member = |kind: &str| (0..200).map(|index| format!("'m{index}' => {kind}")).collect::<Vec<_>>().join(", ");
    let code = format!(
        "$wide = Struct[{{{}}}]\n$narrow = Struct[{{{}}}]\n$value = {{{}}}\n\
         $r = Integer[1, 500].map |$i| {{ [$wide >= $narrow, $narrow >= $wide, $value =~ $wide] }}\nnotice($r.size)",
        member("Variant[Integer, String]"),
        member("Integer"),
        member("7")
    );
    Workload::new("structs", "Struct of 200 members, assignability and instances", 100, code)
}

pub(super) fn inference() -> Workload {
    Workload::new(
        "inference",
        "types inferred of 20,000 nested elements",
        100,
        "$a = Integer[1, 20000].map |$x| { { 'name' => \"n${x}\", 'list' => [$x, $x * 2], 'deep' => { 'a' => 1.5 } } }\n\
         $r = [type($a), type($a, 'reduced'), type($a, 'generalized')]\nnotice($r.size)",
    )
}
