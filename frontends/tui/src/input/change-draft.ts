import type { Draft } from "../draft/draft.ts";
import type { Chat } from "../run/chat.ts";

export function change(chat: Chat, draft: Draft): void {
  if (draft === chat.draft) return;
  chat.draft = draft;
  chat.draftChanged();
}
