import { AppError, type Frame, messageOf } from "@capstan/protocol";
import type { RunResult } from "./run-result.ts";

/** Why there are no more frames. */
export function closedAs(frame: Frame | undefined): AppError {
  const reason = frame?.type === "closed" ? frame.reason : "it was closed";
  return new AppError("session.unknown", `the session ended: ${reason}`);
}

/** What stands in a run's way and has no code of its own is a failure of the storage. */
export function faultOf(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("storage.failed", messageOf(error), { cause: error });
}

/** A run that a fault has ended. */
export function failedWith(result: RunResult, error: unknown): RunResult {
  const { message, code, hint } = faultOf(error);
  return { ...result, outcome: "error", error: { message, code, ...(hint === undefined ? {} : { hint }) } };
}
