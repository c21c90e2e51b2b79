import { statSync } from "node:fs";
import { AppError } from "@capstan/protocol";

/** Which file has this name now; `undefined`: none. */
export function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file === undefined ? undefined : `${file.dev}:${file.ino}`;
}

export function removed(path: string): AppError {
  return new AppError("storage.failed", `${path} was removed while it was in use`, {
    hint: "Put it back, or start Capstan again; what was written since the removal is lost.",
  });
}

export function emptied(path: string): AppError {
  return new AppError("storage.corrupt", `${path} was emptied while it was in use`, {
    hint: "Put a backup in its place, or remove it and start Capstan again for a new one.",
  });
}

export function replaced(path: string): AppError {
  return new AppError("storage.failed", `${path} was replaced by another file while it was in use`, {
    hint: "Open the session again to continue from what the new file holds.",
  });
}
