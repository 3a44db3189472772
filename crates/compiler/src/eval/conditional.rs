//! `if`, `unless`, `case` and the selector.

use bunraku_pcore::{Value, inspect};
use bunraku_syntax::ast::{Case, Conditional, Expr, ExprKind, Selector, UnaryOperator};

use crate::eval::{comparison, eval, fail, spread, truth, without_parentheses};
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

/// `if` takes its first branch when the test is true, `unless` when it is not.
pub(super) fn branch(conditional: &Conditional, when: bool, frame: &mut Frame<'_, '_>) -> Outcome {
    frame.guarded(|frame| {
        let taken = if truth(&conditional.test, frame)? == when { &conditional.then } else { &conditional.otherwise };
        eval(taken, frame)
    })
}

/// `case`: the first option that matches; `default` only if none does, wherever it stands.
pub(super) fn case(case: &Case, frame: &mut Frame<'_, '_>) -> Outcome {
    frame.guarded(|frame| {
        let test = eval(&case.test, frame)?;
        let mut default = None;
        for option in &case.options {
            for value in &option.values {
                match choose(value, &test, frame)? {
                    Choice::Matches => return eval(&option.then, frame),
                    Choice::Default => default = Some(&option.then),
                    Choice::Differs => {}
                }
            }
        }
        default.map_or(Ok(Value::Undef), |default| eval(default, frame))
    })
}

/// The selector: like `case`, but something must match.
pub(super) fn selector(selector: &Selector, frame: &mut Frame<'_, '_>) -> Outcome {
    frame.guarded(|frame| {
        let test = eval(&selector.left, frame)?;
        let mut default = None;
        for entry in &selector.entries {
            match choose(&entry.matching, &test, frame)? {
                Choice::Matches => return eval(&entry.value, frame),
                Choice::Default => default = Some(&entry.value),
                Choice::Differs => {}
            }
        }
        match default {
            Some(default) => eval(default, frame),
            None => fail(issues::unmatched_selector(inspect::to_s(&test)), selector.left.reported()),
        }
    })
}

/// How an option stands to the tested value.
enum Choice {
    Matches,
    Differs,
    Default,
}

fn choose(option: &Expr, test: &Value, frame: &mut Frame<'_, '_>) -> Outcome<Choice> {
    let option = without_parentheses(option);
    let matches = match &option.kind {
        ExprKind::Default => return Ok(Choice::Default),
        ExprKind::Unary(UnaryOperator::Unfold, inner) => {
            let mut any = false;
            for candidate in spread(eval(inner, frame)?)? {
                if comparison::is_match(test, &candidate, frame)? {
                    any = true;
                    break;
                }
            }
            any
        }
        _ => {
            let candidate = eval(option, frame)?;
            comparison::is_match(test, &candidate, frame)?
        }
    };
    Ok(if matches { Choice::Matches } else { Choice::Differs })
}
