import { refusals } from "./refusals.ts";

/** The policy `default`: refuses what is never right, asks about what cannot be taken back, and leaves the rest to the mode. */
export const defaultPolicy: string = String.raw`
name = "default"
description = "Refuses what is never right, asks about what cannot be taken back, leaves the rest to the mode and the sandbox."
approval = "default"
approval_timeout_seconds = 300
${refusals}
[[rules]]
verdict = "ask"
tool = "run_command"
command = ["rm -rf", "rm -fr", "rm -Rf", "rm -fR", "rm -r -f", "rm -f -r", "rm -R -f", "rm --recursive --force"]
reason = "what is deleted so is gone"
risk = "high"
match = ["rm -rf dist", "npm test && rm -fr build"]
not_match = ["rm a.txt", "rm -r dist", "echo 'rm -rf dist'"]

[[rules]]
verdict = "ask"
tool = "run_command"
command = ["git push", "git -C * push", "git reset --hard", "git reset * --hard", "git clean", "git rebase", "git filter-branch", "git stash drop", "git stash clear", "git branch -D", "git reflog expire", "git update-ref -d"]
reason = "it changes what others see, or throws work away"
risk = "medium"
match = ["git push origin main", "git -C lib push", "git reset --hard HEAD~1", "git clean -fdx"]
not_match = ["git status", "git commit -m 'push it'", "git reset src/a.ts", "git branch feature"]

[[rules]]
verdict = "ask"
tool = "run_command"
command = ["curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "telnet"]
reason = "it talks to other machines"
risk = "medium"
match = ["curl https://example.org", "scp a.txt me@example.org:", "ls && wget https://example.org/x"]
not_match = ["ls curl.txt", "npm run curl"]
`;
