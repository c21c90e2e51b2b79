import {
  type AssistantMessage,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ToolCallBlock,
  type ToolCallId,
  type ToolDefinition,
  type ToolProfileName,
  unreachable,
  type UserBlock,
  type UserMessage,
} from "@capstan/protocol";
import { anthropicProfile } from "./anthropic-profile.ts";
import { geminiProfile } from "./gemini-profile.ts";
import { openaiProfile } from "./openai-profile.ts";
import { inOurFields, inTheirFields, type ToolForm, type ToolProfile } from "./tool-profile.ts";

/**
 * The same request in the words its model was trained on: the tools it is shown, and its calls so far. What this very model wrote goes back as it
 * was written, whatever it was shown since; every other call is put into its words.
 */
export function inProfile(request: ModelRequest, model: ModelSettings | undefined): ModelRequest {
  const target = targetOf(model);
  const calls = new Map<ToolCallId, ToolCallBlock>();
  const messages = request.messages.map((message) => {
    const renamed = remembered(message, target, (one) =>
      one.role === "user" ? withNamesOf(calls, one) : renamedAnswer(one, target),
    );
    if (renamed.role === "assistant")
      for (const block of renamed.content) if (block.type === "tool-call") calls.set(block.callId, block);
    return renamed;
  });
  return { ...request, tools: toolsInProfile(request.tools, model), messages };
}

/** Which model is asked, and in which words. */
interface Target {
  readonly origin: string;
  readonly words: ToolProfileName;
}

function targetOf(model: ModelSettings | undefined): Target {
  const words = model?.toolProfile ?? "own";
  return { words, origin: model === undefined ? "" : originName({ ...model, model: model.id }) };
}

function originName({ wire, provider, model }: AssistantMessage["origin"]): string {
  return JSON.stringify([wire, provider, model]);
}

function toolsInProfile(tools: readonly ToolDefinition[], model: ModelSettings | undefined): readonly ToolDefinition[] {
  const profile = profileNamed(model?.toolProfile ?? "own");
  if (profile === null) return tools;
  const { hidden } = profile;
  const isHidden = ({ name }: ToolDefinition): boolean =>
    Object.hasOwn(hidden, name) && tools.some((other) => other.name === hidden[name]);
  return tools.filter((tool) => !isHidden(tool)).map((tool) => reported(tool, profile));
}

/** An answer with its calls in our words; how they were written is kept beside. */
export function inOurWords(message: AssistantMessage, model: ModelSettings | undefined): AssistantMessage {
  const name = model?.toolProfile ?? "own";
  const profile = profileNamed(name);
  if (profile === null || !message.content.some((block) => block.type === "tool-call")) return message;
  const content = message.content.map((block) => (block.type === "tool-call" ? callInOurWords(block, profile) : block));
  return { ...message, words: name, content };
}

/** How a call was written is kept only where it does not follow from what it means. */
function callInOurWords(call: ToolCallBlock, profile: ToolProfile): ToolCallBlock {
  const { name: writtenName, arguments: args, freeform, ...rest } = call;
  const [tool = writtenName, form] = Object.entries(profile.forms).find(([, one]) => one.name === writtenName) ?? [];
  const value = args.type === "json" && form !== undefined ? inOurFields(form, args.value) : undefined;
  const ours = { ...rest, name: tool, arguments: value === undefined ? args : ({ type: "json", value } as const) };
  const again = renamedCall(ours, profile);
  const isSame =
    again.name === writtenName &&
    again.freeform === freeform &&
    JSON.stringify(again.arguments) === JSON.stringify(args);
  if (isSame) return ours;
  const marks = freeform === true ? { freeform } : {};
  return { ...ours, written: { name: writtenName, arguments: args, ...marks } };
}

function profileNamed(name: ToolProfileName): ToolProfile | null {
  switch (name) {
    case "own":
      return null;
    case "anthropic":
      return anthropicProfile;
    case "openai":
      return openaiProfile;
    case "gemini":
      return geminiProfile;
    default:
      return unreachable(name);
  }
}

/** Tools stay the same objects, too. */
const reports = new WeakMap<ToolProfile, WeakMap<ToolDefinition, ToolDefinition>>();

function reported(tool: ToolDefinition, profile: ToolProfile): ToolDefinition {
  const known = reports.get(profile) ?? new WeakMap<ToolDefinition, ToolDefinition>();
  reports.set(profile, known);
  const done = known.get(tool) ?? inForm(tool, profile);
  known.set(tool, done);
  return done;
}

function inForm(tool: ToolDefinition, { forms }: ToolProfile): ToolDefinition {
  const form = formOf(tool.name, forms);
  if (form === undefined) return tool;
  const { name, description, inputSchema, freeform } = form;
  return { ...tool, name, description, inputSchema, ...(freeform === undefined ? {} : { freeform }) };
}

/** A pure function's memory: messages of the past stay the same objects from request to request, so that what wires keep of them holds. */
const memory = new WeakMap<Message, Map<string, Message>>();

function remembered(message: Message, { origin, words }: Target, work: (message: Message) => Message): Message {
  const known = memory.get(message) ?? new Map<string, Message>();
  memory.set(message, known);
  const key = `${words} ${origin}`;
  const done = known.get(key) ?? work(message);
  known.set(key, done);
  return done;
}

/** In other words than it was written in, an answer is as good as another vendor's. */
function renamedAnswer(message: AssistantMessage, target: Target): AssistantMessage {
  const writtenIn = message.words ?? "own";
  const isOwn = writtenIn === target.words || originName(message.origin) === target.origin;
  const profile = profileNamed(isOwn ? writtenIn : target.words);
  const content = message.content.map((block) =>
    block.type !== "tool-call" ? block : isOwn ? asWritten(block, profile) : renamedCall(block, profile),
  );
  const hasCalls = content.some((block) => block.type === "tool-call");
  if (!isOwn && hasCalls) return { ...message, content, origin: foreign(message.origin) };
  return content.every((block, index) => block === message.content[index]) ? message : { ...message, content };
}

/** Proofs that a vendor gave stand for the words it gave them for. */
function foreign(origin: AssistantMessage["origin"]): AssistantMessage["origin"] {
  return { ...origin, provider: `${origin.provider} in other words` };
}

function asWritten(block: ToolCallBlock, profile: ToolProfile | null): ToolCallBlock {
  const { written, freeform: _freeform, ...rest } = block;
  if (profile === null) return block.freeform === undefined && written === undefined ? block : rest;
  return written === undefined ? renamedCall(block, profile) : { ...rest, ...written };
}

function renamedCall(block: ToolCallBlock, profile: ToolProfile | null): ToolCallBlock {
  const { written: _written, freeform: _freeform, ...rest } = block;
  const form = profile === null ? undefined : formOf(block.name, profile.forms);
  if (form === undefined) return block.written === undefined && block.freeform === undefined ? block : rest;
  const args = block.arguments;
  if (args.type === "malformed") return { ...rest, name: form.name };
  const value = inTheirFields(form, args.value);
  const argument = form.freeform === undefined ? undefined : value[form.freeform.argument];
  const freeform = typeof argument === "string" && Object.keys(value).length === 1;
  return { ...rest, name: form.name, arguments: { type: "json", value }, ...(freeform ? { freeform } : {}) };
}

/** A result goes back under the name of its call, and in its form. */
function withNamesOf(calls: ReadonlyMap<ToolCallId, ToolCallBlock>, message: UserMessage): UserMessage {
  const isSame = (block: UserBlock): boolean => {
    const call = block.type === "tool-result" ? calls.get(block.callId) : undefined;
    return block.type !== "tool-result" || call === undefined || (call.name === block.toolName && !call.freeform);
  };
  if (message.content.every(isSame)) return message;
  const content = message.content.map((block): UserBlock => {
    const call = block.type === "tool-result" ? calls.get(block.callId) : undefined;
    if (block.type !== "tool-result" || call === undefined) return block;
    return { ...block, toolName: call.name, ...(call.freeform === true ? { freeform: true } : {}) };
  });
  return { ...message, content };
}

function formOf(tool: string, forms: ToolProfile["forms"]): ToolForm | undefined {
  return Object.hasOwn(forms, tool) ? forms[tool] : undefined;
}
