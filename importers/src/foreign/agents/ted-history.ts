import { isJsonObject, type JsonValue, userText } from "@capstan/protocol";
import { textAt } from "../fields.ts";
import type { ForeignEntry, ForeignSession } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";

/** What Ted puts into a history to hold its model up; nobody said it. */
const reminder = /^\s*STOP\b/;

/** Whether a list is a history as Ted hands it over: `[{role, content}]`, with texts. */
export function isTedHistory(list: readonly JsonValue[]): boolean {
  return list.some((item) => isJsonObject(item) && isRole(item["role"]) && typeof item["content"] === "string");
}

/** A conversation of texts. Repeated neighbours are one; prompts of the system, empty texts and reminders are left out. */
export function readTedHistory(list: readonly JsonValue[], healing: Healing): ForeignSession {
  const entries: ForeignEntry[] = [];
  let last = "";
  for (const item of list.filter((one) => isJsonObject(one))) {
    const [role, text] = [textAt(item, "role"), textAt(item, "content")];
    const key = `${role}: ${text}`;
    if (!isRole(role) || text.trim() === "" || reminder.test(text) || key === last) {
      healing.note("notes of the other agent left out");
      continue;
    }
    last = key;
    if (role === "user") entries.push({ type: "user", content: userText(text), at: 0 });
    else entries.push({ type: "answer", blocks: [{ type: "text", text }], model: "", at: 0 });
  }
  return { agent: "Ted", id: "", entries };
}

function isRole(role: JsonValue | undefined): boolean {
  return role === "user" || role === "assistant";
}
