/**
 * A process without free file descriptors. Says on standard output, one per line, what became of: an append and a read with a
 * store that is open, opening another, and both again when descriptors are free. Run by `faults.test.ts` with a low limit.
 * Argument: database file.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { AppError, toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "../../src/index.ts";

const [path = ""] = process.argv.slice(2);
const sessionId = toSessionId("01starved");
const record = { type: "notice", level: "info", code: "sample", text: "x" } as const;

const store = await openSqliteStore({ path });
await store.append(sessionId, { after: 0, at: 1, records: [record], flush: true });
const descriptors = allDescriptors();
await report(async () => (await store.append(sessionId, { after: 1, at: 1, records: [record], flush: true })).length);
await report(async () => (await store.read(sessionId, 0)).length);
await report(async () => openSqliteStore({ path }));
for (const descriptor of descriptors) closeSync(descriptor);
await report(async () => (await store.append(sessionId, { after: 2, at: 1, records: [record], flush: true })).length);
await report(async () => (await (await openSqliteStore({ path })).read(sessionId, 0)).length);
await store.close();

function allDescriptors(): readonly number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    return taken;
  }
}

async function report(attempt: () => Promise<unknown>): Promise<void> {
  try {
    const result = await attempt();
    writeSync(1, `${typeof result === "number" ? result : "done"}\n`);
  } catch (error) {
    writeSync(1, `${error instanceof AppError ? error.code : String(error)}\n`);
  }
}
