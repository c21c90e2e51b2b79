import { draftOf } from "../draft/draft.ts";
import { sendDraft } from "../input/draft-input.ts";
import { Aloud, type AloudOptions } from "./aloud.ts";

/** Runs the terminal UI for a screen reader until the user leaves it. @returns the session that was open last */
export async function runAloud(options: AloudOptions): Promise<string> {
  return await new Aloud(options, (chat, line) => {
    chat.draft = draftOf(line);
    sendDraft(chat, "queue");
  }).run();
}
