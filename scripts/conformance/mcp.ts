import { deepStrictEqual, match, ok } from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConformancePart } from "./part.ts";
import type { Surroundings } from "./surroundings.ts";

const run = promisify(execFile);
/** The suite and the inspector need a newer Node than Capstan does. */
const nodePackage = `node-${process.platform}-${process.arch}`;
const scenarioMs = 60_000;

/** What a client of the protocol has to do, by the suite's names. */
const scenarios = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
];
/*
 * Left out: `auth/basic-cimd` (a client known by the address of a document: Capstan has none; all its checks pass but that one, which is advice), `auth/scope-step-up` (a session asks
 * for no further rights by itself: decision 0068), `auth/pre-registration` (client ids of one's own are not configured), `auth/2025-03-26-oauth-metadata-backcompat` (a server without
 * metadata of the resource, whose issuer is not the server: the library refuses it), and the extensions.
 */

async function playSuite({ folder, binary }: Surroundings): Promise<void> {
  const suite = join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
  const tsx = import.meta.resolve("tsx/esm");
  const client = join(import.meta.dirname, "mcp-client.ts");
  const command = [process.execPath, "--conditions=source", "--import", tsx, client, binary].join(" ");
  for (const scenario of scenarios) {
    const args = ["client", "--command", command, "--scenario", scenario, "--timeout", String(scenarioMs)];
    const { stdout, stderr } = await run(newerNode(folder), [suite, ...args], { cwd: folder }).catch(
      (error: unknown) => {
        throw new Error(`${scenario}: ${String(Object(error)["stdout"] ?? error).slice(-2000)}`);
      },
    );
    match(stdout + stderr, /OVERALL: PASSED|Test Results:\nPassed: [1-9]\d*\/\d+, 0 failed/, scenario);
    process.stdout.write(`mcp: ${scenario}\n`);
  }
}

async function inspect(surroundings: Surroundings): Promise<void> {
  const { folder, binary, workspace } = surroundings;
  const { env, rehearsal } = await surroundings.rehearse([{ text: "hello from the engine" }]);
  const inspector = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const server = [process.execPath, binary, "mcp", "serve", "-m", "anthropic/rehearsal", "--cwd", workspace, "--tools"];
  const ask = async (...flags: readonly string[]): Promise<string> => {
    // The server gets of the environment what is named.
    const named = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const args = [inspector, "--cli", ...server, ...flags, ...named];
    return (await run(newerNode(folder), args, { cwd: folder, env: { ...env } })).stdout;
  };
  const listed = await ask("--method", "tools/list");
  for (const tool of ["begin_session", "inspect_session", "read_file"]) ok(listed.includes(`"${tool}"`), tool);
  ok(!listed.includes('"answer_session"'));
  writeFileSync(join(workspace, "a.txt"), "words of a file\n");
  const read = ["--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt"];
  match(await ask(...read), /words of a file/);
  const begun = ["--method", "tools/call", "--tool-name", "begin_session", "--tool-arg", "prompt=hello"];
  match(await ask(...begun), /hello from the engine/);
  deepStrictEqual(rehearsal.exchanges.length, 1);
}

/** Servers that speak through pipes, behind a proxy that offers them over HTTP. */
async function overHttp(surroundings: Surroundings): Promise<void> {
  const { folder, binary } = surroundings;
  const files = join(folder, "files");
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, "a.txt"), "words of a file\n");
  const bin = (name: string): string => join(folder, "node_modules", ".bin", name);
  const servers = [
    { program: [bin("mcp-server-filesystem"), files], call: ["read_text_file", { path: join(files, "a.txt") }] },
    { program: [bin("mcp-server-memory")], call: ["create_entities", { entities: [entity] }] },
  ] as const;
  for (const { program, call } of servers) {
    const port = await freePort();
    const args = ["--port", String(port), "--", ...program];
    const proxy = spawn(newerNode(folder), [bin("mcp-proxy"), ...args], { cwd: folder, stdio: "ignore" });
    try {
      await answers(`http://127.0.0.1:${port}/ping`);
      const turns = [{ tool_calls: [{ name: `mcp__web__${call[0]}`, arguments: call[1] }] }, { text: "done" }];
      const { env, rehearsal } = await surroundings.rehearse([...turns, ...turns]);
      const server = `mcp_servers.web.url="http://127.0.0.1:${port}/mcp"`;
      const flags = ["-m", "anthropic/rehearsal", "--set", server, "--allow", "mcp__web", "go"];
      for (const round of [1, 2]) {
        await run(process.execPath, [binary, "run", ...flags], { cwd: surroundings.workspace, env: { ...env } });
        match(JSON.stringify(rehearsal.exchanges[2 * round - 1]?.body), /words of a file|capstan-conformance|\[\]/);
      }
    } finally {
      proxy.kill();
    }
  }
}

const entity = { name: "capstan-conformance", entityType: "thing", observations: ["it is here"] };

function newerNode(folder: string): string {
  return join(folder, "node_modules", nodePackage, "bin", "node");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => void server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const maxTries = 300;
const retryMs = 100;

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await fetch(url).then(({ ok: isOk }) => isOk, () => false)) return; // prettier-ignore
    await new Promise((done) => void setTimeout(done, retryMs));
  }
  throw new Error(`${url} does not answer`);
}

/** The protocol's own suite and inspector, and real servers over HTTP. */
export const mcp: ConformancePart = {
  name: "mcp",
  packages: [
    "@modelcontextprotocol/conformance@0.1.16",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "mcp-proxy@6.7.19",
    `${nodePackage}@22.23.3`,
  ],
  stories: {
    "the suite's scenarios for clients pass": playSuite,
    "the inspector's command line drives `capstan mcp serve`": inspect,
    "the servers filesystem and memory work over HTTP, in two processes": overHttp,
  },
};
