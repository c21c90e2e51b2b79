import { AppError, messageOf } from "@capstan/protocol";
import { errorCode } from "../files/error-code.ts";

/** Anything thrown while the store was written or read, as an error with a stable code that names the place. */
export function toStoreError(thrown: unknown, place: string): Error {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") return thrown;
  const message = `${place}: ${messageOf(thrown)}`;
  const code = errorCode(thrown) ?? "";
  if (["ENOSPC", "EDQUOT"].includes(code)) {
    return new AppError("storage.full", message, {
      cause: thrown,
      hint: `Free space on the disk that holds ${place}, then continue the session.`,
    });
  }
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "ELOOP"].includes(code)) {
    return new AppError("storage.unavailable", message, {
      cause: thrown,
      hint: "Check that the folder may be read and written, or point CAPSTAN_HOME to another folder.",
    });
  }
  return new AppError("storage.failed", message, { cause: thrown, hint: `Check the disk that holds ${place}.` });
}
