/** Serves an engine in memory over standard input and output; `detach` as argument does not wait for turns. */
import { memoryEngine } from "@capstan/testkit";
import { serveLines } from "../src/index.ts";

const engine = memoryEngine();
await serveLines(engine, {
  input: process.stdin,
  output: process.stdout,
  identity: { frontend: "embed", role: "operate" },
  version: "1",
  atEnd: process.argv[2] === "detach" ? "detach" : "finish-turns",
});
process.stderr.write(`sessions: ${(await engine.sessions.list()).map(({ title }) => title).join(", ")}\n`);
