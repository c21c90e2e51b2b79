import { unreachable } from "@capstan/protocol";
import { pollMs } from "../limits.ts";
import type { CapstanProcess } from "../stage/capstan-process.ts";
import type { CrashPlan } from "./crash-plan.ts";

/** What a planned kill can watch. */
export interface CrashTarget {
  /** How long the script takes when nobody harms it. */
  readonly unharmedMs: number;
  readonly whom: "process" | "group";
  linesInLog(): number;
  /** Calls back with the number of requests so far, at each. Returns the unsubscriber. */
  onRequest(listener: (count: number) => void): () => void;
}

/** A kill that waits for its moment. Lines are reported to it; everything else it watches itself. */
export interface ArmedCrash {
  /** To be called when the process has started. */
  arm(target: CapstanProcess): void;
  onLine(count: number): void;
  /** To be called when the process has ended, of itself or not. */
  disarm(): void;
}

/** `syscall` plans need nothing here: strace kills. */
export function armCrash(plan: CrashPlan, script: CrashTarget): ArmedCrash {
  let target: CapstanProcess | undefined;
  let disarm = nothing;
  const kill = (): void => target?.kill(script.whom);
  return {
    arm(process) {
      target = process;
      disarm = watch(plan, script, kill);
    },
    onLine(count) {
      if (plan.type === "line" && count >= plan.count) kill();
      if (plan.type === "disturb" && count === plan.count) plan.act();
    },
    disarm: () => disarm(),
  };
}

/** Waits for the moment. Returns what ends the wait. */
function watch(plan: CrashPlan, script: CrashTarget, kill: () => void): () => void {
  switch (plan.type) {
    case "never":
    case "syscall":
    case "disturb":
    case "line":
      return nothing;
    case "time":
      return after(plan.share * script.unharmedMs, kill);
    case "request": {
      let stopTimer = nothing;
      const stopListening = script.onRequest((count) => {
        if (count === plan.count) stopTimer = after(plan.delayMs, kill);
      });
      return () => {
        stopListening();
        stopTimer();
      };
    }
    case "effect": {
      const timer = setInterval(() => {
        if (script.linesInLog() >= plan.count) kill();
      }, pollMs);
      return () => clearInterval(timer);
    }
    default:
      return unreachable(plan);
  }
}

function after(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

function nothing(): void {
  // There is nothing to end.
}
