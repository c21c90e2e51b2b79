import type { Action, Workspace } from "@capstan/protocol";
import { action } from "@capstan/testkit";

export const workspace: Workspace = { cwd: "/work", roots: ["/work"] };

/** A command in the sandbox. */
export function commandCall(script: string): Action {
  return action(
    "run_command",
    { command: script },
    {
      effect: "execute",
      paths: [],
      command: {
        form: { type: "script", script, shell: "/bin/bash" },
        cwd: "/work",
        timeoutMs: 1000,
        confinement: { type: "sandbox", workspace: "build", hosts: [], writable: [] },
        scripts: [],
        nested: [],
      },
      summary: script,
    },
  );
}

/** A call that touches one file. */
export function fileCall(tool: string, path: string): Action {
  const access = tool === "read_file" ? "read" : "write";
  const real = path.startsWith("/") ? path : `/work/${path}`;
  return action(
    tool,
    { path },
    { effect: access, risk: "medium", paths: [{ real, shown: path, access }], summary: `${tool} ${path}` },
  );
}
