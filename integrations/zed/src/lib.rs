//! Starts the language server: the one on the path, or the one among the project's npm packages.

use zed_extension_api as zed;

struct GpuQualifiers;

const PACKAGE: &str = "node_modules/gpu-qualifiers";

impl zed::Extension for GpuQualifiers {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        if let Some(command) = worktree.which("gpu-qualifiers-server") {
            return Ok(zed::Command {
                command,
                args: vec!["--stdio".into()],
                env: worktree.shell_env(),
            });
        }
        if worktree
            .read_text_file(&format!("{PACKAGE}/package.json"))
            .is_err()
        {
            return Err("gpu-qualifiers-server is neither on the path nor in node_modules".into());
        }
        let script = format!("{}/{PACKAGE}/dist/server-node.js", worktree.root_path());
        Ok(zed::Command {
            command: zed::node_binary_path()?,
            args: vec![script, "--stdio".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(GpuQualifiers);
