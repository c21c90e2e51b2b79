import type { JsonObject } from "@capstan/protocol";
import { changed, fieldsOf, flag, reachFields, said, shellRules, text, type ToolProfile } from "./tool-profile.ts";

/** The tools of OpenAI's agent: a shell, and patches in the form its models are trained on. */
export const openaiProfile: ToolProfile = {
  hidden: { write_file: "apply_patch", edit_file: "apply_patch" },
  forms: {
    run_command: {
      name: "shell",
      description: `Run a command and wait for it: builds, tests, git. command is an argument vector; for pipes and redirects ["bash", "-lc", "SCRIPT"]. The result begins with the exit code. ${shellRules}`,
      inputSchema: fieldsOf(
        {
          command: said("Program and arguments", { type: "array", items: text }),
          workdir: said("Directory to run in"),
          timeout_ms: { type: "number" },
          background: said("Start, do not wait", flag),
          ...reachFields,
        },
        ["command"],
      ),
      fields: { cwd: "workdir" },
      toOurs: commandOfShell,
      toTheirs: shellOfCommand,
    },
    apply_patch: {
      name: "apply_patch",
      description: [
        "Edit, add, delete and move files with a patch; all or nothing. This form:",
        "*** Begin Patch",
        "*** Add File: docs/new.md",
        "+# Title",
        "*** Update File: src/a.ts",
        "*** Move to: src/b.ts",
        "@@ function near()",
        " line that stays",
        "-old line",
        "+new line",
        "*** Delete File: src/old.ts",
        "*** End Patch",
        "Three lines that stay around each change; when they are not unique, `@@` with a line above, several where needed. Move to is optional.",
      ].join("\n"),
      inputSchema: fieldsOf({ input: said("The whole patch") }, ["input"]),
      fields: { patch: "input" },
      freeform: { syntax: "lark", argument: "input", definition: patchGrammar() },
    },
  },
};

function commandOfShell(args: JsonObject): JsonObject {
  const { command, timeout_ms: timeout } = args;
  return changed(
    args,
    [...(Array.isArray(command) ? ["command"] : []), ...(typeof timeout === "number" ? ["timeout_ms"] : [])],
    {
      ...(Array.isArray(command) ? { argv: command } : {}),
      ...(typeof timeout === "number" ? { timeout_seconds: Math.max(1, Math.ceil(timeout / 1000)) } : {}),
    },
  );
}

function shellOfCommand(args: JsonObject): JsonObject {
  const { argv, command, timeout_seconds: seconds } = args;
  return changed(args, ["argv", ...(typeof seconds === "number" ? ["timeout_seconds"] : [])], {
    ...(Array.isArray(argv) ? { command: argv } : {}),
    ...(argv === undefined && typeof command === "string" ? { command: ["bash", "-lc", command] } : {}),
    ...(typeof seconds === "number" ? { timeout_ms: Math.round(seconds * 1000) } : {}),
  });
}

/** What a patch may look like, for vendors that hold a model to a grammar. */
function patchGrammar(): string {
  return String.raw`start: begin section+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
section: added | deleted | updated
added: "*** Add File: " path LF new_line+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? change?
moved: "*** Move to: " path LF
change: (context | line)+ last?
context: ("@@" | "@@ " /(.+)/) LF
line: ("+" | "-" | " ") /(.*)/ LF
new_line: "+" /(.*)/ LF
last: "*** End of File" LF
path: /(.+)/
%import common.LF
`;
}
