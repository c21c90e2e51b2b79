/**
 * The client that MCP's conformance suite drives: the binary, as its user would use it. It is called with the address of a scenario's server, logs in
 * where the scenario is about that, and lets a scripted model call every tool that the scenario names.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";

/** What the model calls in a scenario. */
const calls: Readonly<Record<string, readonly [string, object]>> = {
  tools_call: ["add_numbers", { a: 5, b: 3 }],
  "elicitation-sep1034-client-defaults": ["test_client_elicitation_defaults", {}],
  "sse-retry": ["test_reconnection", {}],
};
const ofLogins: readonly [string, object] = ["test-tool", {}];

const [binary = "", url = ""] = process.argv.slice(2);
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const folder = mkdtempSync(join(tmpdir(), "capstan-mcp-client-"));
writeFileSync(join(folder, "config.toml"), `[mcp_servers.suite]\nurl = ${JSON.stringify(url)}\n`, { mode: 0o600 });

const [tool, args] = scenario.startsWith("auth/") ? ofLogins : (calls[scenario] ?? ["none", {}]);
const turns = [{ tool_calls: [{ name: `mcp__suite__${tool}`, arguments: args }] }, { text: "done" }];
const rehearsal = await startRehearsal({
  scenario: parseScenario(JSON.stringify({ name: "suite", turns }), "scenario.json"),
});
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  CAPSTAN_HOME: folder,
  ANTHROPIC_BASE_URL: rehearsal.url,
  ANTHROPIC_API_KEY: "key-that-opens-nothing",
};
try {
  if (scenario.startsWith("auth/")) await capstan(["mcp", "login", "suite"]);
  const run = ["run", "-m", "anthropic/rehearsal", "--allow", "mcp__suite", "--on-ask", "wait", "call it"];
  process.exitCode = await capstan(scenario === "initialize" ? ["mcp", "test", "suite"] : run);
} finally {
  await rehearsal.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A form's user takes what the server proposes. */
async function acceptForms(): Promise<void> {
  const listed = await promisify(execFile)(process.execPath, [binary, "interactions", "list", "--json"], {
    env,
    cwd: folder,
  });
  const [id] = /(?<="id":")[^"]+/.exec(listed.stdout) ?? [""];
  const replies = Array.from({ length: 5 }, () => ["--reply", "-"]).flat();
  await promisify(execFile)(process.execPath, [binary, "interactions", "answer", id, ...replies], { env, cwd: folder });
}

/** Runs the binary; an address that it shows is opened, as its user's browser would. */
async function capstan(given: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [binary, ...given], { cwd: folder, env, stdio: ["ignore", "inherit", "pipe"] });
  let said = "";
  let isOpened = false;
  child.stderr.on("data", (piece: Buffer) => {
    said += piece.toString("utf8");
    process.stderr.write(piece);
    if (!isOpened && said.includes("Waiting for an answer")) {
      isOpened = true;
      void acceptForms().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
    const address = /(http:\/\/\S+[?&]response_type=\S+)\s/.exec(said)?.[1];
    if (address === undefined || isOpened) return;
    isOpened = true;
    void fetch(address).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  });
  return await new Promise((resolve) => {
    child.on("close", (code) => resolve(code ?? 1));
  });
}
