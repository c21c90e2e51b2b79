import type { WebErrorCode, WebFailure } from "@capstan/ports";

/** A page that is not had; inside this package only, for `WebFailure` is what others see. */
export class WebError extends Error {
  readonly code: WebErrorCode;
  readonly retryable: boolean;

  constructor(code: WebErrorCode, message: string, options: ErrorOptions & { readonly retryable?: boolean } = {}) {
    super(message, options);
    this.name = "WebError";
    this.code = code;
    this.retryable = options.retryable ?? (code === "timeout" || code === "network" || code === "http_5xx");
  }

  get failure(): WebFailure {
    return { type: "failed", code: this.code, message: this.message, retryable: this.retryable };
  }
}
