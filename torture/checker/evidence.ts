import { type JournalRecord, recordCatalog } from "@capstan/protocol";
import type { PlannedEffect } from "../scripts/script.ts";

/** A record as it was printed, with its place. */
export interface PrintedEvent {
  readonly seq: number;
  readonly record: JournalRecord;
}

/** Everything that can be known of a tortured session from outside. */
export interface Evidence {
  /** What each process printed, in the order in which they were started. */
  readonly shown: readonly (readonly PrintedEvent[])[];
  /** What is in the journal at the end, oldest first. */
  readonly journal: readonly PrintedEvent[];
  /** The journals of its agents, and of theirs. */
  readonly agents: readonly (readonly PrintedEvent[])[];
  readonly effects: readonly PlannedEffect[];
  /** Contents by path relative to the workspace, every file that is there now. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that may be there. */
  readonly expectedFiles: readonly string[];
  /** What the server had to object to, in words; rehearsed faults are no objections. */
  readonly refusals: readonly string[];
  /** Processes that outlived the run that started them, as command lines. */
  readonly survivors: readonly string[];
  /** Why the session did not come to the end of its script or a process did not end; empty: it did. */
  readonly stuck: readonly string[];
  /** What `doctor` says when it is not content; `null`: content, or there is no such command. */
  readonly doctor: string | null;
}

export type ViolationKind = "lost" | "doubled" | "bricked" | "survivor" | "leftover" | "journal" | "doctor";

export interface Violation {
  readonly kind: ViolationKind;
  readonly text: string;
}

/** The events among the lines of stream-json, or of `sessions show --json`. */
export function printedEvents(lines: readonly string[]): readonly PrintedEvent[] {
  return lines.flatMap((line): readonly PrintedEvent[] => {
    if (!isPrintedEvent(line)) return [];
    const { seq, at: _at, ...record } = JSON.parse(line);
    return [{ seq, record }];
  });
}

function isPrintedEvent(line: string): boolean {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null || !("seq" in value) || !("type" in value)) return false;
  return typeof value.type === "string" && Object.hasOwn(recordCatalog, value.type);
}
