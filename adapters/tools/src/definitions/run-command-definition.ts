import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";

/** The limits of the configuration are part of what the model is told. */
export function runCommandDefinition(options: ToolsOptions): ToolDefinition {
  return { name: "run_command", description, inputSchema: inputSchema(options), offered: "sandboxed-in-plan" };
}

const description =
  "Run a program and wait for it: builds, tests, git, package managers. Give either argv (preferred: no shell, nothing needs quoting) " +
  "or command (a shell script, for pipes and redirects). Not for reading, searching or editing files. " +
  "The result begins with the exit code; of a long output head and tail are shown, and the rest is in a file it names. " +
  "No terminal, no input; background processes end with the call. " +
  "In a sandbox it changes only the workspace and /tmp, sees no home directory and has no network; ask for what it needs beyond.";

function inputSchema(options: ToolsOptions): JsonObject {
  const texts = { type: "array", items: { type: "string" } };
  const defaultSeconds = options.timeouts.commandMs / 1000;
  return {
    type: "object",
    properties: {
      argv: { type: "array", items: { type: "string" }, description: "Program and arguments" },
      command: { type: "string", description: "Shell script" },
      cwd: { type: "string", description: "Inside the workspace" },
      timeout_seconds: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: options.timeouts.maxCommandMs / 1000,
        description: `Default ${defaultSeconds}`,
      },
      network: { ...texts, description: "Hosts, such as registry.npmjs.org" },
      writable: { ...texts, description: "Directories outside the workspace" },
      outside_sandbox: { type: "boolean" },
      justification: { type: "string", description: "For outside_sandbox" },
    },
    additionalProperties: false,
  };
}
