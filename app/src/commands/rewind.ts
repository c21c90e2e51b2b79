import { createProgress } from "@capstan/cli";
import { openMaintenance, type RewindRequest } from "@capstan/host";
import { AppError, type SessionEvent } from "@capstan/protocol";
import { reportProblem } from "../report-error.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { version } from "../version.ts";

export interface RewindFlags extends SettingsFlags {
  readonly to?: string;
  readonly code?: boolean;
  readonly conversation?: boolean;
  readonly both?: boolean;
  readonly json?: boolean;
}

/** `capstan sessions rewind ID`: back to the end of an earlier turn. */
export async function rewindTo(idOrPrefix: string, flags: RewindFlags): Promise<number> {
  const what = [flags.code, flags.conversation, flags.both].filter((flag) => flag === true);
  if (what.length > 1) throw new AppError("usage.invalid", "--code, --conversation and --both exclude each other");
  const request: RewindRequest = {
    type: "back",
    conversation: flags.code !== true,
    files: flags.conversation !== true,
    ...(flags.to === undefined ? {} : { keepTurns: turnNumber(flags.to) }),
  };
  return await change(idOrPrefix, request, flags);
}

/** `capstan sessions undo ID`: the last turn, its words and what it did to files. */
export async function undoTurn(idOrPrefix: string, flags: RewindFlags): Promise<number> {
  return await change(idOrPrefix, { type: "back", conversation: true, files: true }, flags);
}

/** `capstan sessions redo ID`: what was taken back last. */
export async function redoTurn(idOrPrefix: string, flags: RewindFlags): Promise<number> {
  return await change(idOrPrefix, { type: "forth" }, flags);
}

/** @returns 0, or 1 when there was nothing to do or a file was left alone */
async function change(idOrPrefix: string, request: RewindRequest, flags: RewindFlags): Promise<number> {
  const maintenance = await openMaintenance(await settingsFromFlags(flags), { version, report: reportProblem });
  try {
    const events = await maintenance.rewind(await maintenance.resolve(idOrPrefix), request, { frontend: "cli" });
    show(events, flags.json === true);
    return events.some(isWhole) ? 0 : 1;
  } finally {
    await maintenance.close();
  }
}

function show(events: readonly SessionEvent[], json: boolean): void {
  const progress = createProgress();
  for (const event of events) {
    if (json) print(JSON.stringify({ ...event.record, seq: event.seq, at: event.at }));
    else for (const line of progress(event)) print(line.text);
  }
}

function isWhole({ record }: SessionEvent): boolean {
  return record.type === "rewind-finished" && record.conflicts.length === 0;
}

function turnNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `--to takes the number of a turn, or 0, not ${JSON.stringify(text)}`, {
    hint: "`capstan sessions show ID` numbers the turns.",
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
