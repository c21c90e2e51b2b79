import { AppError } from "@capstan/protocol";

/** An error in words of ours, where the system's own are no use to anybody; every other one as it is. */
export function knownError(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || error.syscall !== "uv_cwd") return error;
  const text =
    "the directory you are in was removed, or may no longer be entered; go to another one, or name it with -C";
  return new AppError("usage.workspace-missing", text, { cause: error, hint: "Try: cd" });
}
