#!/usr/bin/env node
// The commonest question of scripts is answered before anything else is loaded.
import { version } from "./version.ts";

const [first, second] = process.argv.slice(2);
if (process.argv.length === 3 && (first === "version" || first === "--version" || first === "-V")) {
  process.stdout.write(`capstan ${version}\n`);
} else if (first === "version" && second === "--json") {
  process.stdout.write(
    `${JSON.stringify({ version, node: process.versions.node, platform: process.platform, arch: process.arch })}\n`,
  );
} else {
  const { runProgram } = await import("./program.ts");
  const exitCode = await runProgram(process.argv.slice(2));
  process.exitCode = exitCode;
  // Whatever might still hold the process, its end is guaranteed; without a leak this timer never fires.
  setTimeout(() => process.exit(exitCode), 5000).unref();
}
