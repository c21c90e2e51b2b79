import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { evolve, initialState, stateFormat } from "@capstan/session";
import { toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { longJournal } from "../long-journal.ts";
import { openedRecords, tui } from "../limits.ts";
import { median } from "../median.ts";
import { atTui, type TuiBench, withModel } from "./measure-tui.ts";

const id = toSessionId("00000000000000000000000001");

/** A long session, resumed at a terminal: what it takes beyond a new one until its first frame, and its memory. */
export async function measureOpeningTui(
  bench: TuiBench,
): Promise<{ readonly records: number; readonly openMs: number; readonly cpuMs: number; readonly memoryMb: number }> {
  await store(bench.place.dataFolder, bench.place.workspace);
  return await withModel("shortAnswer", async (url) => {
    const [long, fresh, memory]: [number[], number[], number[]] = [[], [], []];
    const cpu: { readonly long: number[]; readonly fresh: number[] } = { long: [], fresh: [] };
    for (let round = 0; round < tui.rounds; round += 1) {
      await atTui(bench, { url, args: ["-r", id] }, async (terminal) => {
        long.push(terminal.firstFrameMs);
        cpu.long.push(terminal.cpuMs);
        memory.push(terminal.memoryMb);
      });
      await atTui(bench, { url }, async (terminal) => {
        fresh.push(terminal.firstFrameMs);
        cpu.fresh.push(terminal.cpuMs);
      });
    }
    const beyond = (ours: readonly number[], others: readonly number[]): number => median(ours) - median(others);
    const [openMs, cpuMs] = [beyond(long, fresh), beyond(cpu.long, cpu.fresh)];
    return { records: openedRecords, openMs, cpuMs, memoryMb: median(memory) };
  });
}

/** As a session does that rests: its state is saved, and some turns came since. */
async function store(folder: string, workspace: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const opened = await openSqliteStore({ path: join(folder, "capstan.db") });
  const events = longJournal(openedRecords).map((event) =>
    event.record.type === "session-started"
      ? { ...event, record: { ...event.record, sessionId: id, workspace: { cwd: workspace, roots: [workspace] } } }
      : event,
  );
  await opened.restore(id, events);
  const until = events.slice(0, -400);
  const state = until.map((event) => event.record).reduce(evolve, initialState);
  if (stateFormat === null) throw new Error("the bench runs without the state's mark, and would measure another thing");
  await opened.saveState(id, { seq: until.length, format: stateFormat, state });
  await opened.close();
}
