import type { AnswerCell, AnswerPart } from "@capstan/view";
import { type SessionUpdate, textBlock } from "./update-types.ts";

/** Of an answer, what the editor has: the texts in their order, and how often it was begun again. */
export interface SentAnswer {
  readonly parts: readonly SentPart[];
  readonly version: number;
}

interface SentPart {
  readonly type: "text" | "thinking";
  readonly text: string;
}

export const nothingSent: SentAnswer = { parts: [], version: 1 };

/** What is new in an answer. Where it does not continue what was sent, all of it is a message of its own. */
export function answerChunks(
  { stepId, parts }: AnswerCell,
  sent: SentAnswer,
): { readonly updates: readonly SessionUpdate[]; readonly sent: SentAnswer } {
  const said = parts.flatMap(saidIn);
  if (said.length === 0) return { updates: [], sent };
  const continues = sent.parts.every((part, at) => continuesWith(part, said[at]));
  const before = continues ? sent.parts : [];
  const version = continues ? sent.version : sent.version + 1;
  const name = version === 1 ? stepId : `${stepId}.${version}`;
  const updates = said.flatMap((part, at): readonly SessionUpdate[] => {
    const rest = part.text.slice(before[at]?.text.length ?? 0);
    return rest === "" ? [] : [chunkOf(part.type, `${name}:${at}`, rest)];
  });
  return { updates, sent: { parts: said, version } };
}

function chunkOf(type: SentPart["type"], messageId: string, text: string): SessionUpdate {
  const sessionUpdate = type === "text" ? "agent_message_chunk" : "agent_thought_chunk";
  return { sessionUpdate, content: textBlock(text), messageId };
}

/** What the vendor did itself is a thought: no call of ours. */
function saidIn(part: AnswerPart): readonly SentPart[] {
  switch (part.type) {
    case "text":
    case "thinking":
      return [part];
    case "vendor-work":
      return [{ type: "thinking", text: part.text }];
    case "call-draft":
      return [];
  }
}

function continuesWith(part: SentPart, now: SentPart | undefined): boolean {
  return now !== undefined && now.type === part.type && now.text.startsWith(part.text);
}
