import type { ToolResult } from "@capstan/ports";
import { AppError } from "@capstan/protocol";

/** A failure the model can read and act on, as a result. Anything else, such as an abort or a bug of ours, is thrown on. */
export function failedResult(error: unknown): ToolResult {
  if (!(error instanceof AppError) || error.code === "internal.bug") throw error;
  return { status: "failed", code: error.code, content: error.message };
}
