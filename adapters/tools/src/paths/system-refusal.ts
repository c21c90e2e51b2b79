import { AppError, messageOf, ToolRefusal } from "@capstan/protocol";
import { errorCode } from "./error-code.ts";
import { quotedPath } from "./path-syntax.ts";

/**
 * What a system error about a checked path means to the model.
 * @param shown  the path as shown
 * @returns our own errors unchanged
 */
export function systemRefusal(error: unknown, shown: string): AppError {
  if (error instanceof AppError) return error;
  const path = quotedPath(shown);
  const options = { cause: error };
  switch (errorCode(error)) {
    case "ENOENT":
      return new ToolRefusal("rejected", "path.not-found", `${path} does not exist.`, options);
    case "ELOOP":
    case "ENOTDIR":
      return new ToolRefusal("denied", "path.outside", `${path}: ${noWay}`, options);
    case "EISDIR":
    case "ENXIO":
      return new ToolRefusal("rejected", "path.not-a-file", `${path} is not a regular file.`, options);
    case "EACCES":
    case "EPERM":
      return new ToolRefusal("rejected", "tool.failed", `No permission for ${path}.`, options);
    case "EROFS":
      return new ToolRefusal("rejected", "tool.failed", `${path} is on a read-only file system.`, options);
    case "ENOSPC":
    case "EDQUOT":
      return new ToolRefusal("rejected", "tool.failed", `No space left to write ${path}.`, options);
    case "ENAMETOOLONG":
      return new ToolRefusal("rejected", "path.invalid", `${path} is longer than the file system allows.`, options);
    default:
      return new ToolRefusal("rejected", "tool.failed", `${path}: ${messageWithoutPath(error)}`, options);
  }
}

const noWay = "a part of it is not a directory, or became a link while it was used; nothing was done.";

/** Node's messages end with the address, which is a descriptor here and means nothing to anybody. */
function messageWithoutPath(error: unknown): string {
  return messageOf(error).replace(/, \w+ '.*$/s, "");
}
