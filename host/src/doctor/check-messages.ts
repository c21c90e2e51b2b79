import type { Message, UserBlock } from "@capstan/protocol";

/**
 * What vendors would refuse about a conversation: it begins with the user, roles alternate, nothing is empty, and every call is
 * answered once, in order, at the start of the message after it. @returns one sentence for each offence
 */
export function messageProblems(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, at): readonly string[] => {
    const problems: string[] = [];
    const check = (holds: boolean, text: string): void => {
      if (!holds) problems.push(`message ${at + 1} ${text}`);
    };
    check(message.role === (at % 2 === 0 ? "user" : "assistant"), "is of the wrong role");
    check(message.content.length > 0, "is empty");
    check(!message.content.some((block) => block.type === "text" && block.text === ""), "has an empty text");
    if (message.role === "user")
      check(answers(message.content, messages[at - 1]), "does not answer the calls before it");
    else check(at < messages.length - 1 || callIds(message).length === 0, "has calls that nothing answers");
    return problems;
  });
}

function answers(content: readonly UserBlock[], before: Message | undefined): boolean {
  const calls = callIds(before);
  const results = content.flatMap((block) => (block.type === "tool-result" ? [block.callId] : []));
  const first = content.slice(0, calls.length).every((block) => block.type === "tool-result");
  return first && results.length === calls.length && results.every((id, at) => id === calls[at]);
}

function callIds(message: Message | undefined): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
}
