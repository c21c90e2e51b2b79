import type { ModelRequest } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { messageText } from "./message-text.ts";

/** A request as it would be sent: instructions, the names of the tools, and every message. */
export function previewLines({ system, tools, messages, maxOutputTokens }: ModelRequest): readonly string[] {
  const names = tools.map(({ name }) => name).join(", ");
  return [
    ...section("instructions", system),
    ...section(`${tools.length} tools`, names),
    ...messages.flatMap((message) => section(message.role === "user" ? "user" : "model", messageText(message))),
    `== at most ${maxOutputTokens} tokens in the answer`,
  ];
}

function section(title: string, text: string): readonly string[] {
  return [`== ${title}`, ...inertText(text).split("\n"), ""];
}
