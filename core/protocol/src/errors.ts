import type { ProviderFailure } from "./model/model-stream.ts";
import type { ErrorCode } from "./error-catalog.ts";

export interface AppErrorOptions extends ErrorOptions {
  /** What the user should do next, as a sentence. */
  readonly hint?: string;
}

/** An error with a stable code (docs/reference/errors.md). Messages name the file, field or flag, and hold no secrets. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** A model call that failed, with everything the retry policy and the user need. */
export class ProviderError extends AppError {
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, options: ErrorOptions = {}) {
    super(failure.code, failure.message, failure.hint === undefined ? options : { ...options, hint: failure.hint });
    this.name = "ProviderError";
    this.failure = failure;
  }
}

/** A call that must not run. `denied`: refused for safety; `rejected`: the model can fix it. The message is for the model. */
export class ToolRefusal extends AppError {
  readonly kind: "denied" | "rejected";

  constructor(kind: "denied" | "rejected", code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, options);
    this.name = "ToolRefusal";
    this.kind = kind;
  }
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
