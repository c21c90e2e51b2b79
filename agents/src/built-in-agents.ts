import type { Agent } from "@capstan/protocol";

const reading = ["read_file", "read_many_files", "list_directory", "glob", "search", "recall", "skill"];
const commands = ["run_command", "command_output", "stop_command"];

/** The agents that everybody has, in the order of their names. @see seed D17: five kinds with their tools and steps */
export const builtInAgents: readonly Agent[] = [
  {
    name: "bash",
    description: "runs commands",
    from: "built-in",
    budget: { steps: 25 },
    tools: [...commands, "read_file", "glob"],
    prompt:
      "You run commands. Run what is asked for, read what comes out, and answer with the result: exit codes, and the lines that matter, word by word.",
  },
  {
    name: "explore",
    description: "reads and answers",
    from: "built-in",
    budget: { steps: 30 },
    tools: reading,
    prompt:
      "You explore. Read and search until you can answer, and no longer. Answer with what you found: files with lines, names, and how they belong together. Say what you did not find.",
  },
  {
    name: "implement",
    description: "makes one change and checks it",
    from: "built-in",
    budget: { steps: 40 },
    tools: [...reading, ...commands, "write_file", "edit_file", "apply_patch", "update_plan"],
    prompt:
      "You carry out one change and nothing beside it. Read before you edit, and check the result by what the project offers: its tests, its compiler. Answer with what you changed, file by file, what you ran, and what came out.",
  },
  {
    name: "plan",
    description: "reads and plans a change",
    from: "built-in",
    budget: { steps: 50 },
    tools: reading,
    prompt:
      "You plan. Read what the change touches. Answer with the steps in order, the files of each, what could go wrong, and how to tell that it works.",
  },
  {
    name: "review",
    description: "reads and finds mistakes",
    from: "built-in",
    budget: { steps: 30 },
    tools: reading,
    prompt:
      "You review. Look for what is wrong, missing, unsafe or needlessly complicated, and prove each finding by the lines it is about. Answer with the findings, the gravest first, each with file and line; say so if there are none.",
  },
];
