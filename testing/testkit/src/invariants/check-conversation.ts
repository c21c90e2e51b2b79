import { conversation, modelRequest } from "@capstan/session";
import { canonicalJson, type JournalRecord, type Message, type ToolOutcome, type UserBlock } from "@capstan/protocol";
import { batchesOf } from "./batches.ts";
import type { Prefix } from "./prefix.ts";

/**
 * Invariants 2 and 6: what the model is sent, at every place of the journal. Returns what is wrong.
 * @param sample  the places at which the whole request is worked out, where all of them would take too long
 */
export function checkConversation(places: readonly Prefix[], sample: readonly Prefix[] = places): readonly string[] {
  const journal = places.map(({ record }) => record);
  return [...sample.flatMap((place) => checkPlace(place)), ...checkResults(places, journal)];
}

function checkPlace({ at, after }: Prefix): readonly string[] {
  const shown = conversation(after);
  const problems = [...checkMessages(shown)];
  const { messages } = modelRequest(after);
  problems.push(...checkMessages(messages));
  if (messages.length === 0) problems.push("a request has no message");
  if (JSON.stringify(JSON.parse(JSON.stringify(after))) !== JSON.stringify(after))
    problems.push("the state is not plain JSON");
  return problems.map((problem) => `after record ${at}: ${problem}`);
}

function checkMessages(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, at) => {
    const problems: string[] = [];
    const previous = messages[at - 1];
    if (message.role !== (at % 2 === 0 ? "user" : "assistant")) problems.push(`message ${at} is of the wrong role`);
    if (message.content.length === 0) problems.push(`message ${at} is empty`);
    if (message.content.some((block) => block.type === "text" && block.text === ""))
      problems.push(`message ${at} has empty text`);
    if (message.role === "user") problems.push(...checkPairs(previous, message.content, at));
    else if (at === messages.length - 1 && callIds(message).length > 0) problems.push("the last calls have no results");
    return problems;
  });
}

/** The results at the start of a user message are those of the calls before it, in order, and there are no others. */
function checkPairs(previous: Message | undefined, content: readonly UserBlock[], at: number): readonly string[] {
  const calls = callIds(previous);
  const first = content
    .slice(0, calls.length)
    .map((block) => (block.type === "tool-result" ? block.callId : block.type));
  const more = content.slice(calls.length).filter((block) => block.type === "tool-result");
  return JSON.stringify(first) === JSON.stringify(calls) && more.length === 0
    ? []
    : [`message ${at} answers ${first.join(", ")} and ${more.length} more instead of ${calls.join(", ")}`];
}

function callIds(message: Message | undefined): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
}

/** The results the model reads are the outcomes the journal holds, call by call. */
function checkResults(places: readonly Prefix[], journal: readonly JournalRecord[]): readonly string[] {
  return batchesOf(journal).flatMap(({ calls, records, closedAt, isUsers }) => {
    const place = closedAt === null ? undefined : places[closedAt];
    if (place === undefined || (place.record.type === "turn-ended" && place.record.rolledBack)) return [];
    const expected = calls.map(({ callId, name }) => {
      const finished = records.find((record) => record.type === "tool-finished" && record.callId === callId);
      return finished?.type === "tool-finished"
        ? withNote(resultOf(callId, name, finished.outcome), editsOf(records, callId))
        : `${callId} without an outcome`;
    });
    if (isUsers) return checkReported(place, records);
    // Words that came meanwhile stand behind the results, and so does what the model is informed of after a summary.
    const results = place.after.conversation.findLast(({ content }) =>
      content.some(({ type }) => type === "tool-result"),
    );
    const read = JSON.stringify(results?.content.slice(0, expected.length));
    return read === JSON.stringify(expected)
      ? []
      : [`record ${place.at}: the model reads ${read} instead of ${JSON.stringify(expected)}`];
  });
}

/** What the user made of the call's arguments last. */
function editsOf(records: readonly JournalRecord[], callId: string): string {
  const edited = records.findLast((record) => record.type === "call-edited" && record.callId === callId);
  if (edited?.type !== "call-edited") return "";
  return `[The user changed the arguments of this call to ${canonicalJson(edited.arguments)}]\n`;
}

/** What came out of a user's own command stands at the end of what was said. */
function checkReported({ at, after }: Prefix, records: readonly JournalRecord[]): readonly string[] {
  const outcomes = records.flatMap((record) => (record.type === "tool-finished" ? [record.outcome.content] : []));
  const last = after.conversation.at(-1);
  const reported = last?.role === "user" ? last.content.map((block) => (block.type === "text" ? block.text : "")) : [];
  return outcomes.every((outcome) => reported.some((text) => text.endsWith(outcome)))
    ? []
    : [`record ${at}: the model does not read what came out of a user's command`];
}

function withNote(result: ReturnType<typeof resultOf>, note: string): ReturnType<typeof resultOf> {
  return { ...result, content: `${note}${result.content}` };
}

function resultOf(callId: string, toolName: string, outcome: ToolOutcome) {
  const isError = outcome.type !== "done" && outcome.type !== "proposed";
  const content = isError && outcome.content.trim() === "" ? "(no output)" : outcome.content;
  return { type: "tool-result", callId, toolName, content, isError };
}
