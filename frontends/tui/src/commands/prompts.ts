type PromptName = "init" | "commit" | "review" | "test" | "fix" | "explain";

/** What the commands that are words for the model say. */
const prompts: Readonly<Record<PromptName, readonly string[]>> = {
  init: [
    "Look at this repository and write an AGENTS.md at its root for the coding agents that will work here.",
    "Say what it is, how it is laid out, the exact commands to build, test and lint it, and the conventions that are not obvious from the code.",
    "Check every command before you write it down. Keep it under 100 lines. If there is an AGENTS.md already, correct and complete it.",
  ],
  commit: [
    "Commit the changes of this workspace with git.",
    "Read the diff and the last commit messages first, and keep to their form. Leave out files that do not belong to the change, and say which.",
    "Do not push.",
  ],
  review: [
    "Review the uncommitted changes of this workspace, or, if there are none, the last commit.",
    "Look for mistakes, missing cases, missing tests and what a reader would stumble over. Name file and line, say what goes wrong and how to correct it, the worst first. Change nothing.",
  ],
  test: [
    "Find out how the tests of this project are run, and run them.",
    "For each failure say what fails, why, and how it could be corrected. Change nothing unless I ask for it.",
  ],
  fix: [
    "Find the cause of the problem described below, or, if nothing is described, of what fails when the project is built and tested.",
    "Correct the cause, not the symptom, with the smallest change that does it, and show by a test or a command that it is gone.",
  ],
  explain: [
    "Explain the code that is named below, or, if nothing is named, this project: what it does, how its parts work together, and what one has to know before changing it.",
    "Name files and lines. Change nothing.",
  ],
};

/** The words for the model; what the user added comes last. */
export function promptOf(name: PromptName, rest: string): string {
  const text = prompts[name].join(" ");
  return rest === "" ? text : `${text}\n\n${rest}`;
}
