import {
  type AssistantBlock,
  type AssistantMessage,
  type JournalRecord,
  type JsonObject,
  type ModelOrigin,
  unreachable,
} from "@capstan/protocol";
import { callMark, sealReasoning, signPart, signThinking, type WireName } from "@capstan/rehearsal";

/** Who may have given an answer: each wire's own vendor, and a gateway that speaks the wire with secrets of its own. */
export const voices: readonly Voice[] = [
  { provider: "anthropic", model: "model-a", wire: "anthropic" },
  { provider: "openai", model: "model-r", wire: "openai-responses" },
  { provider: "openai-chat", model: "model-c", wire: "openai-chat" },
  { provider: "google", model: "gemini-3-pro", wire: "google" },
  { provider: "gateway", model: "model-a", wire: "anthropic" },
  { provider: "gateway", model: "model-r", wire: "openai-responses" },
  { provider: "gateway", model: "model-c", wire: "openai-chat" },
  { provider: "gateway", model: "gemini-3-pro", wire: "google" },
];

interface Voice extends ModelOrigin {
  readonly wire: WireName;
}

/**
 * The same journal as if its answers had come from these vendors in turn, each with thinking, signatures and items of its own
 * kind. The rehearsal knows the secrets of the four vendors, and refuses a gateway's.
 * @param choices  for the n-th answer the n-th voice, by number; from the start again when they run out
 */
export function revoiced(journal: readonly JournalRecord[], choices: readonly number[]): readonly JournalRecord[] {
  let answers = 0;
  return journal.map((record) => {
    if (record.type !== "step-completed") return record;
    // Of these wires only Anthropic's pauses.
    const choice = record.reason === "pause" ? 0 : (choices[answers % choices.length] ?? 0);
    const voice = voices[choice % voices.length];
    if (voice === undefined) return record;
    answers += 1;
    return { ...record, message: spokenBy(voice, record.message, `a${answers}`) };
  });
}

function spokenBy(voice: Voice, { content }: AssistantMessage, answer: string): AssistantMessage {
  const thinking = content.map((block) => (block.type === "thinking" ? block.text : "")).join("");
  const rest = content.filter((block) => block.type !== "thinking");
  const own = blocksOf(voice.wire, { thinking, rest, answer });
  const blocks = voice.provider === "gateway" ? own.map((block) => withOtherSecrets(block)) : own;
  return { role: "assistant", origin: voice, content: blocks };
}

interface Spoken {
  readonly thinking: string;
  readonly rest: readonly AssistantBlock[];
  readonly answer: string;
}

function blocksOf(wire: WireName, spoken: Spoken): readonly AssistantBlock[] {
  switch (wire) {
    case "anthropic":
      return anthropicBlocks(spoken);
    case "openai-responses":
      return responsesBlocks(spoken);
    case "openai-chat":
      return spoken.thinking === "" ? spoken.rest : [{ type: "thinking", text: spoken.thinking }, ...spoken.rest];
    case "google":
      return googleBlocks(spoken);
    default:
      return unreachable(wire);
  }
}

function anthropicBlocks({ thinking, rest, answer }: Spoken): readonly AssistantBlock[] {
  const id = `srvtoolu_${answer}`;
  const searched = [
    { type: "server_tool_use", id, name: "web_search", input: { query: "q" } },
    { type: "web_search_tool_result", tool_use_id: id, content: [] },
  ].map((item): AssistantBlock => ({ type: "provider-item", item }));
  if (thinking === "") return [...searched, ...rest];
  return [{ type: "thinking", text: thinking, signature: signThinking(thinking) }, ...searched, ...rest];
}

/** Reasoning goes with what it led to: the first thing after it that has words or is a call. */
function responsesBlocks({ thinking, rest, answer }: Spoken): readonly AssistantBlock[] {
  if (thinking === "") return rest;
  const next = rest.find((block) => block.type === "tool-call" || (block.type === "text" && block.text.trim() !== ""));
  const leadsTo = next?.type === "tool-call" ? callMark(next.name) : wellFormed(next?.type === "text" ? next.text : "");
  const id = `rs_${answer}`;
  const summary = wellFormed(thinking);
  const item: JsonObject = {
    type: "reasoning",
    id,
    summary: [{ type: "summary_text", text: summary }],
    encrypted_content: sealReasoning({ id, summary }, leadsTo),
  };
  return [{ type: "thinking", text: thinking }, { type: "provider-item", item }, ...rest];
}

/** Signed are the thought, the first call where its name can come back, and the end of an answer without calls. */
function googleBlocks({ thinking, rest, answer }: Spoken): readonly AssistantBlock[] {
  const text = signPart({ type: "text" }, answer);
  const firstCall = rest.find((block) => block.type === "tool-call");
  const signed = rest.map((block): AssistantBlock => {
    if (block !== firstCall || !/^[a-z_]+$/i.test(block.name)) return block;
    return { ...block, signature: signPart({ type: "call", name: block.name }, answer) };
  });
  const end: AssistantBlock = { type: "provider-item", item: { text: "", thoughtSignature: text } };
  const thought: AssistantBlock = { type: "thinking", text: thinking, signature: text };
  return [...(thinking === "" ? [] : [thought]), ...signed, ...(firstCall === undefined ? [end] : [])];
}

/** What another vendor would refuse as forged: it must never be sent there. */
function withOtherSecrets(block: AssistantBlock): AssistantBlock {
  switch (block.type) {
    case "text":
      return { ...block, signature: "sealed elsewhere" };
    case "thinking":
      return block.signature === undefined
        ? { type: "thinking", text: "", redacted: "sealed elsewhere" }
        : { ...block, signature: "sealed elsewhere" };
    case "tool-call":
      return { ...block, signature: "sealed elsewhere" };
    case "provider-item":
      return { type: "provider-item", item: { ...block.item, id: "item_of_nobody", encrypted_content: "elsewhere" } };
    default:
      return unreachable(block);
  }
}

/** As the text stands in a request. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
