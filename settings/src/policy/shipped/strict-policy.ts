/** The policy `strict`: reading inside the workspace, and nothing else that no rule of the user's allows. */
export const strictPolicy: string = String.raw`
name = "strict"
description = "Reads inside the workspace; everything else is refused unless a rule of yours allows it."
approval = "strict"
approval_timeout_seconds = 120

[[rules]]
verdict = "allow"
tool = ["read_file", "search", "glob"]
path = "regex:."
reason = "reading inside the workspace is safe"
match = ["src/a.ts", ".github/workflows/ci.yml"]
not_match = ["/etc/passwd", "/home/me/.ssh/id_rsa"]

[[rules]]
verdict = "deny"
tool = ["Read", "Edit"]
path = ["**/.env", "**/.env.*", "**/.ssh/**", "**/.aws/**", "**/.gnupg/**", "**/*.key", "**/*.pem", "**/id_rsa*", "**/id_ed25519*", "**/*credentials*", "**/*secret*", "**/.netrc"]
reason = "it may hold credentials"
risk = "high"
match = [".env", "src/secrets.ts", "config/credentials.json", "/home/me/.aws/config"]
not_match = ["src/environment.ts"]

[[rules]]
verdict = "deny"
tool = "run_command"
command = ["rm", "sudo", "doas", "su", "pkexec", "chmod", "chown", "mv", "cp", "dd", "shred", "mkfs *", "git push"]
reason = "the strict policy lets no command delete, move, copy, change rights or push"
risk = "high"
match = ["rm a.txt", "ls && mv a b", "sudo id", "cp -r a b", "find . -exec rm x +"]
not_match = ["ls", "git status", "echo rm"]

[[rules]]
verdict = "ask"
tool = ["run_command", "web_fetch"]
reason = "the strict policy asks about every command and every page"
match = ["ls", "npm test"]

[[rules]]
verdict = "ask"
tool = ["write_file", "edit_file", "apply_patch"]
reason = "the strict policy asks about every change"
match = ["write_file", "edit_file", "apply_patch"]
not_match = ["read_file"]
`;
