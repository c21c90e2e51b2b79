import { statSync } from "node:fs";
import { AppError } from "@capstan/protocol";

/** Which file has this name now; `undefined`: none. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    // Its folder may have become a file as well.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
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
