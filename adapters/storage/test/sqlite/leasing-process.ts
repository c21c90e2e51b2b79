/**
 * A process that writes to one session under leases and says on standard output what became of each attempt, right after it is
 * known: `granted GENERATION`, `held`, `ack NUMBER TEXT`, `fenced GENERATION`. Run by `lease-in-process.ts`.
 * Arguments: database file, session id, name of the writer, and how many claims and appends it tries, from the first line of
 * standard input on, after it has said `ready`; without the last it claims once and then appends once for each line.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { AppError, toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "../../src/index.ts";

const [path = "", session = "", writer = "", attempts = ""] = process.argv.slice(2);
const sessionId = toSessionId(session);
/** Appends under one lease, unless it is lost before. */
const appendsPerLease = 7;

const store = await openSqliteStore({ path });
const tries = { made: 0, last: 0 };
await (attempts === "" ? appendWhenAsked() : race(Number(attempts)));
await store.close();

/* oxlint-disable no-await-in-loop -- one attempt after the other */

/** Takes over from living holders now and then, and gives the lease back only now and then. */
async function race(count: number): Promise<void> {
  say("ready");
  await once(process.stdin, "data");
  while (tries.made < count) {
    const generation = await claim(tries.made % 3 === 0);
    if (generation === undefined) continue;
    // A lost lease is tried once more, with the number that would fit by then.
    for (let refused = 0, done = 0; refused < 2 && done < appendsPerLease; done += 1) {
      if (!(await append(generation))) refused += 1;
    }
    if (tries.made % 2 === 0) await store.release(sessionId, generation);
  }
}

async function appendWhenAsked(): Promise<void> {
  const generation = (await claim(true)) ?? 0;
  for await (const line of createInterface(process.stdin)) {
    if (line === "end") return;
    await append(generation);
  }
}

/* oxlint-enable no-await-in-loop */

async function claim(takesOver: boolean): Promise<number | undefined> {
  tries.made += 1;
  const owner = {
    id: `${writer}-${tries.made}`,
    processId: process.pid,
    processStart: "",
    bootId: "",
    processNamespace: "",
    frontend: writer,
  };
  const answer = await store.claim(sessionId, { owner, beatMs: 0, at: 0, isGone: () => takesOver });
  say(answer.type === "held" ? "held" : `granted ${answer.generation}`);
  return answer.type === "held" ? undefined : answer.generation;
}

/** @returns false when another process has taken over */
async function append(generation: number): Promise<boolean> {
  tries.made += 1;
  tries.last = (await store.read(sessionId, tries.last)).at(-1)?.seq ?? tries.last;
  const text = `${generation} ${writer} ${tries.made}`;
  try {
    const record = { type: "notice", level: "info", code: "sample", text } as const;
    const batch = { after: tries.last, at: 0, records: [record], flush: tries.made % 50 === 0, generation };
    const [event] = await store.append(sessionId, batch);
    say(`ack ${event?.seq} ${text}`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "session.busy") throw error;
    say(`fenced ${generation} ${error.message}`);
    return false;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
