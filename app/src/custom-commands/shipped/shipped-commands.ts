/** Command files that come with Capstan, by name: Markdown as the user's own have it. A file of theirs of one name counts instead. */
export const shippedCommands: Readonly<Record<string, string>> = {
  commit: `---
description: let the model commit the changes
argument-hint: [words]
---
Commit the changes of this workspace with git.

1. Read the diff and the last commit messages first, and keep to their form.
2. Leave out files that do not belong to the change, and say which.
3. Do not push.
`,
  explain: `---
description: let the model explain code
argument-hint: [words]
---
Explain the code that is named below, or, if nothing is named, this project: what it does, how its parts work together, and what one
has to know before changing it.

Name files and lines. Change nothing.
`,
  fix: `---
description: let the model find and fix a problem
argument-hint: [words]
---
Find the cause of the problem described below, or, if nothing is described, of what fails when the project is built and tested.

Correct the cause, not the symptom, with the smallest change that does it, and show by a test or a command that it is gone.
`,
  init: `---
description: let the model write an AGENTS.md
argument-hint: [words]
---
Look at this repository and write an AGENTS.md at its root for the coding agents that will work here.

- Say what it is, how it is laid out, the exact commands to build, test and lint it, and the conventions that are not obvious from the code.
- Check every command before you write it down.
- Keep it under 100 lines. If there is an AGENTS.md already, correct and complete it.
`,
  review: `---
description: let the model review the changes
argument-hint: [words]
---
Review the uncommitted changes of this workspace, or, if there are none, the last commit.

Look for mistakes, missing cases, missing tests and what a reader would stumble over. Name file and line, say what goes wrong and how to
correct it, the worst first. Change nothing.
`,
  test: `---
description: let the model run the tests and explain failures
argument-hint: [words]
---
Find out how the tests of this project are run, and run them.

For each failure say what fails, why, and how it could be corrected. Change nothing unless you are asked for it.
`,
};
