//! `versioned-code` of `puppetserver.conf`: programs of the site that name the state of the code, and give back files of an
//! earlier one. They make static catalogs possible.

use bunraku::World;
use bunraku::world::Command;

/// The two programs; Puppet Server insists on both.
#[derive(Debug, Clone)]
pub struct VersionedCode {
    /// Prints the identity of an environment's code.
    pub(crate) code_id_command: String,
    /// Prints a file as it was in a state of the code.
    pub(crate) code_content_command: String,
}

impl VersionedCode {
    /// The identity of the code of an environment. A program that fails, or says something that cannot be one, makes no
    /// identity, and so no static catalog; why is the error.
    pub(crate) fn code_id(&self, world: &dyn World, environment: &str) -> Result<String, String> {
        let printed = run(world, &self.code_id_command, &[environment])?;
        let code_id = String::from_utf8_lossy(&printed).trim().to_owned();
        match is_code_id(&code_id) {
            true => Ok(code_id),
            false => Err(format!("Invalid code-id '{code_id}'. {ALLOWED}")),
        }
    }

    /// The content of a file of an environment in a state of its code.
    pub(crate) fn content(
        &self,
        world: &dyn World,
        environment: &str,
        code_id: &str,
        path: &str,
    ) -> Result<Vec<u8>, String> {
        run(world, &self.code_content_command, &[environment, code_id, path])
    }
}

/// What an identity may be made of, as the reference says it.
pub(crate) const ALLOWED: &str = "Must contain only alpha-numerics and '-', '_', ';', or ':'";

/// Whether this can be the identity of code.
pub(crate) fn is_code_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_;:".contains(&byte))
}

fn run(world: &dyn World, program: &str, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = world.run(&Command { program, arguments, ..Command::default() });
    let output = output.map_err(|error| format!("{program} {}: {error}", arguments.join(" ")))?;
    match output.code {
        Some(0) => Ok(output.stdout),
        code => {
            let code = code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
            Err(format!(
                "java.lang.IllegalStateException: Non-zero exit code returned while running '{program}'. exit-code: \
                 '{code}', stdout: '{}', stderr: '{}'",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ))
        }
    }
}
