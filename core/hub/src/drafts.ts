import type { SessionStore } from "@capstan/ports";
import type { ClientIdentity, Draft, SessionId } from "@capstan/protocol";

interface Writer {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
}

/** Drafts are a user's: whichever frontend they come back through, they find them. */
function userOf({ identity }: Writer): string {
  return identity.user ?? "";
}

export function readDraft(store: SessionStore, writer: Writer): Promise<Draft | null> {
  return store.draft(writer.id, userOf(writer));
}

/** @throws AppError `usage.invalid` for more than a draft may have */
export async function writeDraft(store: SessionStore, writer: Writer, text: string | null, at: number): Promise<void> {
  await store.saveDraft(writer.id, userOf(writer), text === null || text === "" ? null : { text, at });
}
