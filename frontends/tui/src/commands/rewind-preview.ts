import type { RewindPreview } from "@capstan/protocol";
import { inertLine, type Role, type Row, rowOf } from "@capstan/view";

const shownOfEach = 6;
const lineCharacters = 300;

/** What a rewind would do to files: those in conflict first, for they decide. */
export function previewRows({ files, conflicts, left }: RewindPreview, cwd: string): readonly Row[] {
  const conflicting = conflicts.map(({ path, reason }) => `conflict ${shortened(path, cwd)}: ${reason}`);
  const changing = files.map(({ path, change }) => `${changes[change]} ${shortened(path, cwd)}`);
  const leaving = left.map((text) => `not kept: ${text}`);
  return [...some(conflicting, "bad"), ...some(changing, "good"), ...some(leaving, "warning")];
}

/** In the words of the line that says what was done. */
const changes = { created: "brings back", changed: "restores", removed: "removes" } as const;

function some(lines: readonly string[], role: Role): readonly Row[] {
  const shown = lines.slice(0, shownOfEach).map((line) => rowOf(inertLine(line, lineCharacters), role));
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, rowOf(`and ${more} more`, "muted")];
}

function shortened(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}
