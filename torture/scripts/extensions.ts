import type { SeededRandom } from "@capstan/testkit";
import { markVariable } from "../stage/place.ts";
import { wait } from "./calls.ts";
import { type EffectIds, effectLog, hookLog, type PlannedCall } from "./script.ts";

/** A server of the protocol with one tool, which waits, notes its call in a file, and waits again. */
const server = `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
const note = { name: "note", description: "Notes it.", inputSchema: { type: "object" } };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } });
  else if (method === "tools/list") say(id, { tools: [note] });
  else if (method === "ping") say(id, {});
  else if (method === "tools/call") {
    const { words, beforeMs, afterMs } = params.arguments;
    setTimeout(() => {
      appendFileSync("${effectLog}", words + "\\n");
      setTimeout(() => say(id, { content: [{ type: "text", text: "noted" }] }), afterMs);
    }, beforeMs);
  }
});
`;

/** Notes which effect a call is about, after a while. */
const guard = `sleep 0.03; grep -o 'effect-[0-9]*-once' | head -n 1 >> ${hookLog}; sleep 0.03`;

const settings = `[mcp_servers.notes]
command = ${JSON.stringify(process.execPath)}
args = ["server.mjs"]
writes = true
env = { ${markVariable} = "\${${markVariable}}" }

[[hooks.PreToolUse]]
command = ${JSON.stringify(guard)}

[[hooks.UserPromptSubmit]]
command = "sleep 0.03; echo Mind the gap."

[[hooks.PostToolUse]]
command = "sleep 0.03"

[[hooks.Stop]]
command = "sleep 0.05"
`;

/** What lies in the workspace of a session with a server and hooks; `--config` names the settings. */
export const extensionFiles: Readonly<Record<string, string>> = { "server.mjs": server, "extensions.toml": settings };

/** A call of the server's tool, which a hook is asked about first. */
export function note(ids: EffectIds, random: SeededRandom): PlannedCall {
  const id = ids.next();
  const [beforeMs, afterMs] = [1000 * Number(wait(random)), 1000 * Number(wait(random))];
  return asked({
    call: { name: "mcp__notes__note", arguments: { words: id, beforeMs, afterMs } },
    effects: [{ id, files: [effectLog], kind: "main" }],
  });
}

/** The same call, whose hook leaves the ids of its effects. */
export function asked({ call, effects }: PlannedCall): PlannedCall {
  return { call, effects: [...effects, ...effects.map(({ id }) => ({ id, files: [hookLog], kind: "hook" as const }))] };
}
