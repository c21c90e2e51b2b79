import { inertLine } from "@capstan/patterns";
import type { Isolation, PermissionMode } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";
import type { Cell } from "../transcript/cell.ts";
import { itemAt } from "../transcript/persistent-list.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { type ContextGauge, contextGauge } from "./context-gauge.ts";

/** What a status line says. Texts are inert. */
export interface Status {
  readonly activity: Activity;
  /** Of the running turn, in ms; `null`: none runs. */
  readonly elapsedMs: number | null;
  /** `provider/id`; `null` before the session is configured, as for the next three. */
  readonly model: string | null;
  readonly mode: PermissionMode | null;
  readonly sandbox: SandboxBadge | null;
  readonly context: ContextGauge | null;
  /** Turns that wait for the running one. */
  readonly queued: number;
  /** Questions that wait for a user. */
  readonly waiting: number;
  /** What the session cost; `null`: a price is not known. */
  readonly costUsd: number | null;
}

/** What is happening, in a word each, with what a screen shows beside it. */
export type Activity =
  | { readonly type: "idle" }
  /** The request is put together, or nothing of the answer has come yet. */
  | { readonly type: "preparing" }
  | { readonly type: "thinking" }
  | { readonly type: "answering" }
  /** The model writes the arguments of a call. */
  | { readonly type: "calling"; readonly tool: string }
  | { readonly type: "running"; readonly summaries: readonly string[] }
  | { readonly type: "retrying"; readonly attempt: number; readonly waitMs: number }
  | { readonly type: "waiting" }
  | { readonly type: "summarizing" }
  | { readonly type: "restoring" };

/** Whether commands run apart from the machine: a word and how serious it is. */
export interface SandboxBadge {
  readonly level: "enforced" | "partial" | "none";
  /** What is lacking, or why there is none; empty where it is enforced. */
  readonly text: string;
}

/** @param now  ms since 1970 */
export function statusOf(transcript: Transcript, now: number): Status {
  const { config, queued, work, spending } = transcript;
  return {
    activity: activityOf(transcript, now),
    elapsedMs: work.turn === null ? null : Math.max(0, now - work.turn.startedAt),
    model: config === null ? null : inertLine(`${config.model.provider}/${config.model.id}`, lineCharacters),
    mode: config?.mode ?? null,
    sandbox: config === null ? null : sandboxBadge(config.sandbox.isolation),
    context: contextGauge(transcript),
    queued: queued.length,
    waiting: work.interactions.length,
    costUsd: spending.costUsd,
  };
}

export function sandboxBadge(isolation: Isolation): SandboxBadge {
  const { type } = isolation;
  const text = type === "partial" ? isolation.lacks.join(", ") : type === "none" ? isolation.reason : "";
  return { level: type, text: inertLine(text, lineCharacters) };
}

/** A call under way, with the end of what it printed. Texts are inert. */
export interface RunningCall {
  readonly summary: string;
  readonly startedAt: number;
  readonly output: string;
}

/** In the order of the answer that made them. */
export function runningCalls({ work, cells }: Pick<Transcript, "work" | "cells">): readonly RunningCall[] {
  return work.calls.flatMap(({ cell }) => runningAt(itemAt(cells, cell)));
}

function activityOf({ work, cells }: Transcript, now: number): Activity {
  if (work.rewind !== null) return { type: "restoring" };
  if (work.interactions.length > 0) return { type: "waiting" };
  const retry = work.retry === null ? undefined : itemAt(cells, work.retry.cell);
  if (retry?.type === "retry") {
    const waitMs = Math.max(0, retry.failedAt + retry.delayMs - now);
    return { type: "retrying", attempt: retry.attempt, waitMs };
  }
  if (work.compaction !== null) return { type: "summarizing" };
  if (work.step !== null) return streaming(itemAt(cells, work.step.cell));
  const running = runningCalls({ work, cells });
  if (running.length > 0) return { type: "running", summaries: running.map(({ summary }) => summary) };
  return work.turn === null ? { type: "idle" } : { type: "preparing" };
}

function runningAt(cell: Cell | undefined): readonly RunningCall[] {
  if (cell?.type !== "call" || cell.state.type !== "running") return [];
  const { startedAt, output } = cell.state;
  return [{ summary: cell.summary, startedAt, output }];
}

function streaming(cell: Cell | undefined): Activity {
  const last = cell?.type === "answer" ? cell.parts.at(-1) : undefined;
  switch (last?.type) {
    case "thinking":
      return { type: "thinking" };
    case "text":
    case "vendor-work":
      return { type: "answering" };
    case "call-draft":
      return { type: "calling", tool: last.tool };
    case undefined:
      return { type: "preparing" };
  }
}
