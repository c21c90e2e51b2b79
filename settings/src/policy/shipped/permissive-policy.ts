import { refusals } from "./refusals.ts";

/** The policy `permissive`: changes inside the workspace and the tools of everyday work without a question. */
export const permissivePolicy: string = String.raw`
name = "permissive"
description = "Changes to files of the workspace and the commands of everyday development run unasked; what is never right is refused."
approval = "permissive"
approval_timeout_seconds = 600
${refusals}
[[rules]]
verdict = "allow"
tool = "run_command"
command = ["npm *", "pnpm *", "yarn *", "bun *", "node --test *", "tsc *", "npx tsc *", "npx vitest *", "npx eslint *", "eslint *", "prettier *", "pytest *", "python -m pytest *", "python3 -m pytest *", "ruff *", "mypy *", "cargo build *", "cargo test *", "cargo check *", "cargo clippy *", "cargo fmt *", "go build *", "go test *", "go vet *", "make *"]
reason = "it is everyday development"
match = ["npm test", "npm run build -- --watch", "pytest -q tests", "cargo test --all", "go test ./..."]
not_match = ["node -e 'x'", "python script.py", "curl https://example.org", "rm -r x"]

[[rules]]
verdict = "allow"
tool = "run_command"
command = ["git status *", "git diff *", "git log *", "git show *", "git add *", "git commit *", "git branch *", "git switch *", "git stash list *", "git stash push *"]
reason = "it stays in the repository"
match = ["git status --short", "git commit -m 'a message'", "git diff main"]
not_match = ["git push", "git -c core.pager=x log", "git log --output=x"]

[[rules]]
verdict = "ask"
tool = "run_command"
command = ["npm publish", "npm unpublish", "pnpm publish", "yarn publish", "yarn npm publish", "bun publish", "npm adduser", "npm login", "npm token", "cargo publish", "git push", "git -C * push", "git branch -D", "git branch * -D"]
reason = "others would see it"
risk = "medium"
match = ["npm publish --access public", "git push origin main"]
not_match = ["npm test", "git commit -m 'npm publish'"]
`;
