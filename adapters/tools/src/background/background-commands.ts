import { EventEmitter, once } from "node:events";
import type { ContextPart, NoticeRecord } from "@capstan/protocol";
import { spillFolder } from "../paths/spill-folder.ts";
import { maxReported } from "./limits.ts";
import { type BackgroundNote, readNotes, writeNote } from "./note.ts";
import type { OutputLog } from "./output-log.ts";

/** Where the notes lie, and what proves how far a command came. */
export interface BackgroundPlaces {
  readonly spillDirectory: string;
  readonly statusDirectory: string;
}

/** Why a command that did not end by itself was made to. */
export type StopReason = "stopped" | "closed";

/** A command that this process runs in the background. */
export interface RunningCommand {
  readonly log: OutputLog;
  /** Makes it end. */
  stop(reason: StopReason): void;
  /** Resolves when nothing of it is left, and its end is noted. */
  readonly over: Promise<void>;
}

/** How far the output was read, by the model. */
interface Held {
  readonly running: Map<string, RunningCommand>;
  readonly readTo: Map<string, number>;
  /** What an earlier process left was looked at. */
  settled: Promise<void> | undefined;
  readonly changes: EventEmitter;
  /** Started by this process, and not over: nothing is to be found out of them. */
  readonly own: Set<string>;
  /** In this process. */
  hasStarted: boolean;
}

/** The background commands of the sessions of this process. What earlier processes of a session started is known by their notes. */
export class BackgroundCommands {
  readonly #places: BackgroundPlaces;
  readonly #sessions = new Map<string, Held>();

  constructor(places: BackgroundPlaces) {
    this.#places = places;
  }

  /** All that the session has started, once it is certain what became of what earlier processes left. */
  async list(session: string): Promise<readonly BackgroundNote[]> {
    const held = this.#held(session);
    held.settled ??= this.#settle(session);
    await held.settled;
    return readNotes(this.folder(session));
  }

  folder(session: string): string {
    return spillFolder(this.#places.spillDirectory, { sessionId: session });
  }

  running(session: string, id: string): RunningCommand | undefined {
    return this.#sessions.get(session)?.running.get(id);
  }

  countRunning(session: string): number {
    return this.#sessions.get(session)?.running.size ?? 0;
  }

  /** It is being started. */
  begin(session: string, id: string): void {
    this.#held(session).own.add(id);
  }

  /** It is not running: an end that could not be noted is found out like that of a lost one. */
  over(session: string, id: string): void {
    const held = this.#held(session);
    held.own.delete(id);
    held.settled = undefined;
  }

  add(session: string, id: string, command: RunningCommand): void {
    const held = this.#held(session);
    const { running } = held;
    held.hasStarted = true;
    running.set(id, command);
    void command.over.finally(() => {
      running.delete(id);
      this.over(session, id);
      this.changed(session);
    });
  }

  /** Something was written or has ended: whoever waits looks again. */
  changed(session: string): void {
    this.#held(session).changes.emit("change");
  }

  /** Resolves at the next change, or when the signal aborts. */
  async nextChange(session: string, signal: AbortSignal): Promise<void> {
    await once(this.#held(session).changes, "change", { signal }).catch(() => undefined);
  }

  readTo(session: string, id: string): number {
    return this.#held(session).readTo.get(id) ?? 0;
  }

  setReadTo(session: string, id: string, place: number): void {
    this.#held(session).readTo.set(id, place);
  }

  /** The model and the user know that a command ended. */
  reported(session: string, note: BackgroundNote): void {
    if (note.end !== undefined) this.#note(session, { ...note, isReportedToModel: true, isReportedToUser: true });
  }

  /** Lines about what has ended that the model does not know of. What earlier processes left is reported when a turn begins. */
  ended(session: string): readonly string[] {
    // Where nothing was started there is nothing to read.
    if (this.#sessions.get(session)?.hasStarted !== true) return [];
    const unreported = readNotes(this.folder(session)).filter(
      (note) => note.end !== undefined && !note.isReportedToModel,
    );
    for (const note of unreported) this.reported(session, note);
    return linesOf(unreported);
  }

  /** For the model, when a turn begins: what runs, and what has ended that it does not know of. */
  async context(session: string): Promise<readonly ContextPart[]> {
    const notes = await this.list(session);
    const shown = notes.filter(({ end, isReportedToModel }) => end === undefined || !isReportedToModel);
    if (shown.length === 0) return [];
    for (const note of shown) if (note.end !== undefined) this.#note(session, { ...note, isReportedToModel: true });
    const lines = linesOf(shown).map((line) => `- ${line}`);
    return [{ name: "background-commands", text: ["Commands in the background:", ...lines].join("\n") }];
  }

  /** For the user, when a session is opened: what has ended that no one was informed of. */
  async notices(session: string): Promise<readonly NoticeRecord[]> {
    const notes = await this.list(session);
    const unreported = notes.filter((note) => note.end !== undefined && !note.isReportedToUser);
    for (const note of unreported) this.#note(session, { ...note, isReportedToUser: true });
    return linesOf(unreported).map((text) => ({ type: "notice", level: "info", code: "command.ended", text }));
  }

  /** Ends what the session runs; resolves when nothing of it is left. */
  async endSession(session: string): Promise<void> {
    const running = [...(this.#sessions.get(session)?.running.values() ?? [])];
    for (const command of running) command.stop("closed");
    await Promise.all(running.map(async ({ over }) => await over));
    this.#sessions.delete(session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map(async (session) => await this.endSession(session)));
  }

  #held(session: string): Held {
    const held = this.#sessions.get(session) ?? {
      running: new Map(),
      readTo: new Map(),
      settled: undefined,
      changes: new EventEmitter().setMaxListeners(0),
      own: new Set(),
      hasStarted: false,
    };
    this.#sessions.set(session, held);
    return held;
  }

  async #settle(session: string): Promise<void> {
    const folder = this.folder(session);
    const left = readNotes(folder).filter(({ id, end }) => end === undefined && !this.#held(session).own.has(id));
    if (left.length === 0) return;
    const { endOfLost } = await import("./end-of-lost.ts");
    for (const note of left) this.#note(session, { ...note, end: await endOfLost(note, this.#places) });
  }

  /** What cannot be written is reported once more. */
  #note(session: string, note: BackgroundNote): void {
    try {
      writeNote(this.folder(session), note);
    } catch {
      // A full disk: nothing is lost but that it was reported.
    }
  }
}

function linesOf(notes: readonly BackgroundNote[]): readonly string[] {
  const lines = notes.slice(0, maxReported).map(lineOf);
  const more = notes.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more; command_output lists them`];
}

/** One command, and how it stands. */
export function lineOf({ id, summary, end }: BackgroundNote): string {
  return `${id} (${summary}): ${end === undefined ? "running" : end.split("\n")[0]}`;
}
