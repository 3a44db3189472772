//! The functions that say something at a level of importance: `debug` to `emerg`.

use ecow::EcoString;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::Value;

function! {
    /// Logs a message at the level `alert`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// alert('the answer is', 42)
    /// ```
    ALERT: "alert" {
        "(Any *$values) >> Undef" => alert(call, *values),
    }
}

function! {
    /// Logs a message at the level `crit`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// crit('the answer is', 42)
    /// ```
    CRIT: "crit" {
        "(Any *$values) >> Undef" => crit(call, *values),
    }
}

function! {
    /// Logs a message at the level `debug`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// debug('the answer is', 42)
    /// ```
    DEBUG: "debug" {
        "(Any *$values) >> Undef" => debug(call, *values),
    }
}

function! {
    /// Logs a message at the level `emerg`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// emerg('the answer is', 42)
    /// ```
    EMERG: "emerg" {
        "(Any *$values) >> Undef" => emerg(call, *values),
    }
}

function! {
    /// Logs a message at the level `err`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// err('the answer is', 42)
    /// ```
    ERR: "err" {
        "(Any *$values) >> Undef" => err(call, *values),
    }
}

function! {
    /// Logs a message at the level `info`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// info('the answer is', 42)
    /// ```
    INFO: "info" {
        "(Any *$values) >> Undef" => info(call, *values),
    }
}

function! {
    /// Logs a message at the level `notice`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// notice('the answer is', 42)
    /// ```
    NOTICE: "notice" {
        "(Any *$values) >> Undef" => notice(call, *values),
    }
}

function! {
    /// Logs a message at the level `warning`. The values are shown as in a string, with a blank between them.
    ///
    /// ```puppet
    /// warning('the answer is', 42)
    /// ```
    WARNING: "warning" {
        "(Any *$values) >> Undef" => warning(call, *values),
    }
}

fn alert(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Alert, values);
}

fn crit(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Crit, values);
}

fn debug(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Debug, values);
}

fn emerg(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Emerg, values);
}

fn err(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Err, values);
}

fn info(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Info, values);
}

fn notice(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Notice, values);
}

fn warning(call: &mut Call<'_, '_>, values: &[Value]) {
    log(call, Level::Warning, values);
}

fn log(call: &mut Call<'_, '_>, level: Level, values: &[Value]) {
    let words: Vec<String> = values.iter().map(Value::to_string).collect();
    call.frame.log(level, EcoString::from(words.join(" ")), None);
}
