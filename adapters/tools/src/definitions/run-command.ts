import type { JsonObject } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { renamed, dropped, wholeNumber } from "../arguments/argument-alias.ts";
import type { ToolEntry } from "../tool-entry.ts";

/** The limits of the configuration are part of what the model reads. */
export const runCommand: ToolEntry = {
  name: "run_command",
  definition: (options) => ({ description, inputSchema: inputSchema(options), offered: "sandboxed-in-plan" }),
  effect: "execute",
  settles: true,
  rules: {
    names: ["run", "bash", "shell", "sh", "pwsh", "powershell", "terminal", "exec"],
    pattern: "command",
    contents: "untouched",
  },
  aliases: [
    "Run",
    "run",
    "Pwsh",
    "pwsh",
    "shell",
    "Shell",
    "bash",
    "Bash",
    "sh",
    "RunCommand",
    "local_shell",
    "run_shell_command",
    "run_terminal_cmd",
    "execute_command",
    "exec",
    "exec_command",
    "shell_command",
    "container.exec",
    "terminal",
  ],
  argumentAliases: [
    { from: ["command", "cmd"], overrides: true, convert: vectorOfCommand },
    { from: ["argv"], overrides: true, convert: commandOfVector },
    renamed("command", ["cmd", "script", "commandLine", "command_line", "code"]),
    renamed("argv", ["args", "arguments"]),
    renamed("cwd", ["workdir", "working_dir", "working_directory", "workingDirectory", "directory", "dir", "dir_path"]),
    { from: ["timeout_ms", "timeoutMs"], convert: secondsOfMilliseconds },
    { from: ["timeout"], convert: secondsOfTimeout },
    // Words about the call: the user sees the command itself, and the action shown holds nothing else.
    dropped(["description", "reason", "explanation", "justification"]),
    renamed("background", ["run_in_background", "is_background"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createRunCommandTool(options, await paths()),
};

const description =
  "Run a program and wait: builds, tests, git, package managers. Give argv (preferred) " +
  "or command (a shell script, for pipes and redirects). Not to read, search or edit files. " +
  "A long output shows head and tail, and names a file with the rest. " +
  "No terminal, no input; what it leaves running ends with the call. " +
  "In a sandbox it changes only the workspace and /tmp, sees no home and has no network; ask for more.";

function inputSchema(options: ToolsOptions): JsonObject {
  const texts = { type: "array", items: { type: "string" } };
  const defaultSeconds = options.timeouts.commandMs / 1000;
  return {
    type: "object",
    properties: {
      argv: { type: "array", items: { type: "string" }, description: "Program and arguments" },
      command: { type: "string" },
      cwd: { type: "string" },
      timeout_seconds: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: options.timeouts.maxCommandMs / 1000,
        description: `Default ${defaultSeconds}`,
      },
      background: { type: "boolean", description: "Start, do not wait" },
      writes: { type: "boolean", description: "Changes more than build folders" },
      network: { ...texts, description: "Hosts, as registry.npmjs.org" },
      writable: { ...texts, description: "Directories outside the workspace" },
      outside_sandbox: { type: "boolean" },
      justification: { type: "string", description: "For outside_sandbox" },
    },
    additionalProperties: false,
  };
}

/** A command given as a list of texts is an argument vector. */
function vectorOfCommand(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const value = args[present[0] ?? ""];
  return present.length === 1 && Array.isArray(value) && value.every((item) => typeof item === "string")
    ? { argv: value }
    : undefined;
}

/** A whole command line where a vector is asked for: as one text, or as a vector of one word that is no path. */
function commandOfVector({ argv, command }: JsonObject): JsonObject | undefined {
  if (command !== undefined) return undefined;
  const only = Array.isArray(argv) && argv.length === 1 ? argv[0] : argv;
  if (typeof only !== "string" || only.trimStart().startsWith("[")) return undefined;
  const isLine = only === argv || (/\s/.test(only) && !/^\.{0,2}\//.test(only));
  return isLine ? { command: only } : undefined;
}

function secondsOfMilliseconds(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const milliseconds = wholeNumber(args[present[0] ?? ""]);
  return milliseconds === undefined ? undefined : { timeout_seconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
}

/** Some tools mean seconds, some milliseconds; nobody means a time-out of 1000 s and more written as seconds, or under one. */
function secondsOfTimeout(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const timeout = wholeNumber(args["timeout"]);
  if (timeout === undefined) return undefined;
  return timeout >= 1000 ? secondsOfMilliseconds(args, present) : { timeout_seconds: timeout };
}
