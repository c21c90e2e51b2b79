import type { Fault } from "../scenario/scenario.ts";
import type { WireName } from "../wires/wire-name.ts";
import type { WireProblem } from "../wires/wire-problem.ts";

/** One request and what became of it, reported when the answer begins. */
export interface Exchange {
  /** Counts requests from 1. */
  readonly order: number;
  readonly wire: WireName;
  readonly method: string;
  readonly path: string;
  /** Keys are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` where there was none. */
  readonly body: unknown;
  /** 0: the connection was reset before any answer. */
  readonly status: number;
  /** Why it was refused. Rehearsed faults are no refusal. */
  readonly problem?: WireProblem;
  /** Position of the turn it asked for; absent for refused requests and other paths. */
  readonly turnIndex?: number;
  /** The recorded exchange that it was answered with, or that it differs from. */
  readonly recordedOrder?: number;
  /** The rehearsed fault it met; without it the turn was served whole. */
  readonly fault?: Fault["type"];
}
