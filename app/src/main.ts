#!/usr/bin/env node
// The commonest question of scripts is answered before anything else is loaded.
import { closeToOnlookers } from "./close-to-onlookers.ts";
import { unsupported } from "./installation/unsupported.ts";
import { version } from "./version.ts";

const [first, second] = process.argv.slice(2);
const missing = unsupported(process.platform, process.versions.node);
if (process.argv.length === 3 && /^(?:version|--version|-[vV])$/.test(first ?? "")) {
  process.stdout.write(`capstan ${version}\n`);
} else if (first === "version" && second === "--json") {
  const { platform, arch, versions } = process;
  process.stdout.write(`${JSON.stringify({ version, node: versions.node, platform, arch })}\n`);
} else if (missing !== undefined) {
  process.stderr.write(`Error: ${missing}\n`);
  process.exitCode = 1;
} else {
  void start();
}

async function start(): Promise<void> {
  await closeToOnlookers();
  const { loadProgram } = await import("./load-program.ts");
  const { program, keepCode } = await loadProgram();
  program.prepareProcess();
  const exitCode = await program.runProgram(process.argv.slice(2));
  process.exitCode = exitCode;
  // Whatever might still hold the process, its end is guaranteed; without a leak this timer never fires.
  setTimeout(() => process.exit(exitCode), 5000).unref();
  keepCode();
}
