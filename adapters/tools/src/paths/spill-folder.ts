import { createHash } from "node:crypto";
import { join } from "node:path";

/** Where long output of one session's commands is kept, apart from that of all others. */
export function spillFolder(directory: string, { sessionId }: { readonly sessionId: string | null }): string {
  return join(directory, folderName(sessionId));
}

/** Ids come from people, too: what could be more than one plain name is not used as one. */
function folderName(sessionId: string | null): string {
  if (sessionId === null) return "no-session";
  if (/^[\w-]{1,64}$/.test(sessionId)) return `session-${sessionId}`;
  return `session.${createHash("sha256").update(sessionId).digest("hex")}`;
}
