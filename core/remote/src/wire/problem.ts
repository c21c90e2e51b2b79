import { AppError, type ErrorCode, errorCatalog, messageOf } from "@capstan/protocol";

/** An error as it crosses. `code` may be one that this version does not know. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export function problem(code: ErrorCode, message: string, hint?: string): Problem {
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

/** Anything that was thrown, as it crosses. */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof AppError)) return problem("internal.bug", messageOf(thrown));
  return problem(thrown.code, thrown.message, thrown.hint);
}

/** An error of the other process, to be thrown here. */
export function errorOf({ code, message, hint }: Problem): AppError {
  const options = hint === undefined ? {} : { hint };
  if (isErrorCode(code)) return new AppError(code, message, options);
  return new AppError("remote.unknown-error", `${message} [${code}]`, options);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalog, code);
}
