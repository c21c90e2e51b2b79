import { isJsonObject } from "@capstan/protocol";
import { callOf, type ForeignTool, without } from "./foreign-tool.ts";

/** Shells that take more than a command, or pack it up. */
export const shellCalls: ForeignTool = {
  names: ["shell", "shell_command", "exec_command", "local_shell", "container.exec", "bash", "run_shell_command"],
  convert: (args) => {
    const action = args["action"];
    const flat = isJsonObject(action) ? { ...without(args, ["action"]), ...without(action, ["type", "user"]) } : args;
    const escalated =
      flat["sandbox_permissions"] === "require_escalated" ||
      flat["with_escalated_permissions"] === true ||
      flat["dangerouslyDisableSandbox"] === true;
    const kept = without(flat, [...settings, ...(escalated ? [] : ["justification"])]);
    return callOf("run_command", escalated ? { ...kept, outside_sandbox: true } : kept);
  },
};

/** How another agent's shell is set up: not there, or said by our configuration. */
const settings: readonly string[] = [
  "sandbox_permissions",
  "with_escalated_permissions",
  "dangerouslyDisableSandbox",
  "prefix_rule",
  "additional_permissions",
  "yield_time_ms",
  "max_output_tokens",
  "login",
  "shell",
  "tty",
  "env",
  "restart",
];
