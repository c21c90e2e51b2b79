import { spawn } from "node:child_process";
import { argv } from "node:process";
import { defaultDeniedPatterns } from "@capstan/protocol";
import { createSandbox } from "../../src/index.ts";

// Runs a script in the sandbox until somebody ends this process: arguments are home, state folder, workspace, script.
const [, , home = "", stateDirectory = "", workspace = "", script = ""] = argv;
const sandbox = createSandbox({
  home,
  stateDirectory,
  hidden: [],
  deniedPatterns: defaultDeniedPatterns,
  searchPath: "/usr/local/bin:/usr/bin:/bin",
  node: process.execPath,
});
const program = await sandbox.enter({
  workspace: { cwd: workspace, roots: [workspace] },
  confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
  file: "/bin/sh",
  args: ["-c", script],
  cwd: workspace,
  environment: { PATH: "/usr/bin:/bin" },
});
spawn(program.file, program.args, {
  env: program.environment,
  stdio: ["ignore", "inherit", "inherit", ...program.descriptors],
  detached: true,
});
