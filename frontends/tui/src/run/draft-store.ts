import { messageOf, type SessionClient } from "@capstan/protocol";
import type { Draft } from "../draft/draft.ts";
import { draftOfStored, storedDraft } from "../draft/stored-draft.ts";

/** Keeps the draft of a session where every frontend of its user finds it. */
export class DraftStore {
  readonly #client: SessionClient;
  #saved: string | null = null;

  constructor(client: SessionClient) {
    this.#client = client;
  }

  /** What was written and not sent; `null`: nothing. @throws AppError where it cannot be read */
  async restore(): Promise<Draft | null> {
    const stored = await this.#client.draft();
    this.#saved = stored?.text ?? null;
    return stored === null ? null : draftOfStored(stored.text);
  }

  /** @returns why it could not be stored; `null`: it is */
  async save(draft: Draft): Promise<string | null> {
    const text = storedDraft(draft);
    if (text === this.#saved) return null;
    this.#saved = text;
    try {
      await this.#client.saveDraft(text);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}
