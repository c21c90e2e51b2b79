/**
 * A process that appends records to one session and says on standard output what became of each, right after it is known:
 * `ack NUMBER TEXT`, `busy TEXT` or `error CODE TEXT`. Run by `append-in-process.ts`.
 * Arguments: database file, session id, name of the writer, number of appends, and every how many one is flushed (0: none).
 */
import { writeSync } from "node:fs";
import { AppError, type JournalRecord, type SessionEvent, toSessionId, toStepId } from "@capstan/protocol";
import { openSqliteStore } from "../../src/index.ts";

const [path = "", session = "", writer = "", count = "0", flushEvery = "0"] = process.argv.slice(2);
const sessionId = toSessionId(session);
/** Long enough that a few hundred appends fill the write-ahead log and cause checkpoints. */
const padding = " ".repeat(3000);

const store = await openSqliteStore({ path });
/* oxlint-disable no-await-in-loop -- one append after the other */
for (let number = 1; number <= Number(count); number += 1) {
  await appendOnce(`${writer}-${number}`, Number(flushEvery) > 0 && number % Number(flushEvery) === 0);
}
await store.close();

/** Until it is stored, as a runtime would do it: after an error the journal is read again, for it decides what happened. */
async function appendOnce(text: string, flush: boolean): Promise<void> {
  for (;;) {
    try {
      const events = await store.read(sessionId, 0);
      const stored = events.find((event) => textOf(event) === text);
      if (stored !== undefined) {
        say(`ack ${stored.seq} ${text}`);
        return;
      }
      const appended = await append(events.at(-1)?.seq ?? 0, text, flush);
      say(`ack ${appended.at(-1)?.seq} ${text}`);
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      say(error.code === "session.busy" ? `busy ${text}` : `error ${error.code} ${text}`);
    }
  }
}
/* oxlint-enable no-await-in-loop */

/** Two deltas that the same batch prunes, so that numbers have gaps, then the record that counts. */
async function append(after: number, text: string, flush: boolean): Promise<readonly SessionEvent[]> {
  const stepId = toStepId(text);
  const records: readonly JournalRecord[] = [
    { type: "text-delta", stepId, delta: "shown" },
    { type: "step-abandoned", stepId, cause: "failed", text: "shown" },
    { type: "notice", level: "info", code: "sample", text: text + padding },
  ];
  return store.append(sessionId, { after, at: Date.now(), records, flush });
}

function textOf({ record }: SessionEvent): string | undefined {
  return record.type === "notice" ? record.text.trimEnd() : undefined;
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
