import { unreachable } from "@capstan/protocol";
import { pollMs } from "../limits.ts";
import type { CapstanProcess } from "../stage/capstan-process.ts";
import type { CrashPlan } from "./crash-plan.ts";

/** What a planned kill can watch. */
export interface CrashScene {
  /** How long the scene takes when nobody harms it. */
  readonly unharmedMs: number;
  readonly whom: "process" | "group";
  linesInLog(): number;
  /** Calls back with the number of requests so far, at each. Returns the unsubscriber. */
  onRequest(listener: (count: number) => void): () => void;
}

/** A kill that waits for its moment. Lines are told to it; everything else it watches itself. */
export interface ArmedCrash {
  onLine(count: number): void;
  /** To be called when the process has ended, of itself or not. */
  disarm(): void;
}

/** `syscall` plans need nothing here: strace kills. */
export function armCrash(plan: CrashPlan, target: () => CapstanProcess, scene: CrashScene): ArmedCrash {
  const kill = (): void => target().kill(scene.whom);
  let disarm = (): void => undefined;
  let onLine = (_count: number): void => undefined;
  switch (plan.type) {
    case "never":
    case "syscall":
      break;
    case "time":
      disarm = after(plan.share * scene.unharmedMs, kill);
      break;
    case "line":
      onLine = (count) => {
        if (count >= plan.count) kill();
      };
      break;
    case "request": {
      let stopTimer = (): void => undefined;
      const stopListening = scene.onRequest((count) => {
        if (count === plan.count) stopTimer = after(plan.delayMs, kill);
      });
      disarm = () => {
        stopListening();
        stopTimer();
      };
      break;
    }
    case "effect": {
      const timer = setInterval(() => {
        if (scene.linesInLog() >= plan.count) kill();
      }, pollMs);
      disarm = () => clearInterval(timer);
      break;
    }
    default:
      return unreachable(plan);
  }
  return { onLine: (count) => onLine(count), disarm: () => disarm() };
}

function after(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}
