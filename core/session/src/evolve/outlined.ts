import type { AssistantBlock, JournalRecord, JsonObject, ToolOutcome } from "@capstan/protocol";

/** What is left of a long text. Strings this short are copied by V8, longer parts of a string keep the whole of it in memory. UTF-16 units. */
const leftUnits = 12;
/** What is short already is not worth a copy. */
const shortUnits = 64;

/**
 * The record without its long texts: of answers and thinking, of what they hand to tools, of results. The fold of such records has the shape
 * of the whole one (messages, calls, turns, what is under way) in a fraction of its memory: for who looks at a session and asks no model.
 * What users wrote stays, since a turn that is ended hands it back.
 */
export function outlined(record: JournalRecord): JournalRecord {
  if (record.type === "tool-finished") return { ...record, outcome: outcomeOf(record.outcome), changes: [] };
  if (record.type !== "step-completed") return record;
  return { ...record, message: { ...record.message, content: record.message.content.map(blockOf) } };
}

function outcomeOf(outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== "done") return outcome;
  const { media, ...rest } = outcome;
  const shown = media === undefined ? {} : { media: media.map((each) => ({ ...each, data: cut(each.data) })) };
  return { ...rest, content: cut(outcome.content), ...shown };
}

function blockOf(block: AssistantBlock): AssistantBlock {
  switch (block.type) {
    case "text":
    case "thinking":
      return { ...block, text: cut(block.text) };
    case "tool-call": {
      const { written: _, ...call } = block;
      const { arguments: given } = call;
      return given.type === "json" ? { ...call, arguments: { type: "json", value: argumentsOf(given.value) } } : call;
    }
    case "provider-item":
      return block;
  }
}

function argumentsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, typeof each === "string" ? cut(each) : each]),
  );
}

/** Blank where the text was, and nowhere else. */
function cut(text: string): string {
  if (text.length <= shortUnits) return text;
  const left = text.slice(0, leftUnits);
  return left.trim() === "" && text.trim() !== "" ? "…" : left;
}
