import { AppError, type Frame } from "@capstan/protocol";

/** Why there are no more frames. */
export function closedAs(frame: Frame | undefined): AppError {
  const reason = frame?.type === "closed" ? frame.reason : "it was closed";
  return new AppError("session.unknown", `the session ended: ${reason}`);
}
