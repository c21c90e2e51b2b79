import { ToolRefusal } from "@capstan/protocol";
import { quotedPath } from "../paths/path-syntax.ts";
import { maxHashBytes } from "./limits.ts";
import type { PlannedFile } from "./staged-files.ts";

/**
 * Checks what a patch would leave.
 * @throws {ToolRefusal} `file.too-large`; `patch.failed` for a path that would be a file and a directory
 */
export function checkPlannedFiles(files: readonly PlannedFile[], limitBytes: number): void {
  const large = files.find(({ after }) => after !== null && after.length > maxHashBytes);
  if (large !== undefined) throw tooLarge(`${quotedPath(large.resolved.shown)} would be`, maxHashBytes);
  const totalBytes = files.reduce((sum, { after }) => sum + (after?.length ?? 0), 0);
  if (totalBytes > limitBytes) throw tooLarge("All files together would be", limitBytes);
  checkNesting(files);
}

/** One patch may not use a path as a file and as a directory; found here, because the commit would call it a foreign change. */
function checkNesting(files: readonly PlannedFile[]): void {
  const places = new Map(files.map(({ resolved }) => [resolved.real, resolved]));
  for (const { resolved } of files) {
    for (let end = resolved.real.lastIndexOf("/"); end > 0; end = resolved.real.lastIndexOf("/", end - 1)) {
      const above = places.get(resolved.real.slice(0, end));
      if (above === undefined) continue;
      const text = `${quotedPath(above.shown)} cannot be a file and the directory of ${quotedPath(resolved.shown)}. No file was changed.`;
      throw new ToolRefusal("rejected", "patch.failed", text);
    }
  }
}

function tooLarge(subject: string, limitBytes: number): ToolRefusal {
  const text = `${subject} larger than ${limitBytes} bytes. No file was changed.`;
  return new ToolRefusal("rejected", "file.too-large", text);
}
