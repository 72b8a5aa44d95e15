use zed_extension_api as zed;

struct Celvet;

impl zed::Extension for Celvet {
    fn new() -> Self {
        Celvet
    }

    fn language_server_command(
        &mut self,
        _: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree.which("celvet").ok_or("celvet is not in the PATH")?;
        Ok(zed::Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Celvet);
