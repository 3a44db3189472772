//! What the binary shows on a terminal for mistakes whose cause is elsewhere: in facts, in data, or in code that
//! calls other code.
#![expect(clippy::expect_used, reason = "a test states its expectation")]

mod mistake;
mod site;

use expect_test::expect;
use mistake::{check, check_code};

#[test]
fn a_fact_is_mistyped() {
    check_code(
        "notice($facts['os']['famly']['x'])\n",
        expect![[r#"
        error[OPERATOR_NOT_APPLICABLE]: there is no value of 'famly' that `[]` could look into
         --> BASE/manifests/site.pp:1:21
          |
        1 | notice($facts['os']['famly']['x'])
          |                     ^^^^^^^ did you mean `family`?

    "#]],
    );
}

#[test]
fn a_key_of_the_data_is_mistyped() {
    check(
        &[("manifests/site.pp", "notice(lookup('web::prot'))\n"), ("data/common.yaml", "web::port: 1\n")],
        expect![[r#"
        error: Function lookup() did not find a value for the name 'web::prot'
         --> BASE/manifests/site.pp:1:8
          |
        1 | notice(lookup('web::prot'))
          |        ^^^^^^^^^^^^^^^^^^^ did you mean `web::port`?

    "#]],
    );
}

#[test]
fn carets_are_below_what_follows_wide_characters() {
    check_code(
        "notice(\"日本語日本語\" + nothing())\n",
        expect![[r#"
        error[UNKNOWN_FUNCTION]: Unknown function: 'nothing'.
         --> BASE/manifests/site.pp:1:19
          |
        1 | notice("日本語日本語" + nothing())
          |                         ^^^^^^^

    "#]],
    );
}

#[test]
fn the_way_to_an_error_is_told() {
    let files = [
        ("manifests/site.pp", "include a\n"),
        ("modules/a/manifests/init.pp", "class a {\n  $x = a::f(1)\n}\n"),
        ("modules/a/functions/f.pp", "function a::f($x) {\n  $x.map |$y| { $y + 'a' }\n}\n"),
    ];
    check(
        &files,
        expect![[r#"
        error[NOT_NUMERIC]: The value 'a' cannot be converted to Numeric.
         --> BASE/modules/a/functions/f.pp:2:22
          |
        2 |   $x.map |$y| { $y + 'a' }
          |                      ^^^
          |
        note: in the call of 'map'
         --> BASE/modules/a/functions/f.pp:2:5
          |
        2 |   $x.map |$y| { $y + 'a' }
          |     ----
        note: in the call of 'a::f'
         --> BASE/modules/a/manifests/init.pp:2:8
          |
        2 |   $x = a::f(1)
          |        -------
        note: in the call of 'include'
         --> BASE/manifests/site.pp:1:1
          |
        1 | include a
          | ---------

    "#]],
    );
}
