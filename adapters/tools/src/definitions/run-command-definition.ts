import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { maxHosts, maxWritable } from "../run-command/confine/limits.ts";

/** The limits of the configuration are part of what the model is told. */
export function runCommandDefinition(options: ToolsOptions): ToolDefinition {
  return { name: "run_command", description, inputSchema: inputSchema(options), offered: "sandboxed-in-plan" };
}

const description =
  "Run a program and wait for it: builds, tests, git, package managers. Give either argv (preferred: no shell, nothing needs quoting) " +
  "or command (a shell script, for pipes and redirects). Not for reading, searching or editing files. " +
  "The result begins with the exit code; of a long output head and tail are shown, and the rest is in a file it names. " +
  "There is no terminal and no input; background processes end with the call. " +
  "Where there is a sandbox, a command may change only the workspace (not git hooks and the like) and /tmp, in plan mode nothing; it does not see the " +
  "home directory, and has no network. Ask for what it cannot do without; a person may have to agree.";

function inputSchema(options: ToolsOptions): JsonObject {
  const texts = { type: "array", items: { type: "string" } };
  const defaultSeconds = options.timeouts.commandMs / 1000;
  return {
    type: "object",
    properties: {
      argv: { type: "array", items: { type: "string" }, description: "Program and arguments" },
      command: { type: "string", description: "Shell script" },
      cwd: { type: "string", description: "Directory to run in, inside the workspace" },
      timeout_seconds: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: options.timeouts.maxCommandMs / 1000,
        description: `Default ${defaultSeconds}`,
      },
      network: {
        ...texts,
        maxItems: maxHosts,
        description: 'Hosts it must reach, such as ["registry.npmjs.org"] or name:port',
      },
      writable: {
        ...texts,
        maxItems: maxWritable,
        description: "Existing directories outside the workspace it must change",
      },
      outside_sandbox: { type: "boolean", description: "Only for what no sandbox can do" },
      justification: { type: "string", description: "Why outside_sandbox" },
    },
    additionalProperties: false,
  };
}
