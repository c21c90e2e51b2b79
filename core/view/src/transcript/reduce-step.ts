import { type AssistantMessage, type StepRecord, unreachable } from "@capstan/protocol";
import { inertLine, inertPiece, inertText } from "@capstan/patterns";
import { lineCharacters } from "../limits.ts";
import { citedSources, vendorWork } from "../vendor-work.ts";
import type { AnswerCell, AnswerPart } from "./cell.ts";
import { itemAt } from "./persistent-list.ts";
import { openCalls } from "./reduce-call.ts";
import { retryCompaction } from "./reduce-compaction.ts";
import { closeStep } from "./close-cells.ts";
import { retryCell } from "./retry-cell.ts";
import { addSpending } from "./spending.ts";
import { changeCell, nextCell, type Transcript, withCell, withWork } from "./transcript.ts";

type Of<Type extends StepRecord["type"]> = Extract<StepRecord, { type: Type }>;

export function reduceStep(transcript: Transcript, record: StepRecord, at: number): Transcript {
  switch (record.type) {
    case "step-started":
      return startStep(transcript, record, at);
    case "text-delta":
      return stream(transcript, record.stepId, "text", record.delta);
    case "thinking-delta":
      return stream(transcript, record.stepId, "thinking", record.delta);
    case "tool-arguments-delta":
      return draftCall(transcript, record);
    case "step-retrying":
      return retryStep(transcript, record, at);
    case "step-completed":
      return completeStep(transcript, record, at);
    case "step-abandoned":
      return abandonStep(transcript, record, at);
    default:
      return unreachable(record);
  }
}

function startStep(transcript: Transcript, { stepId, model }: Of<"step-started">, at: number): Transcript {
  const closed = closeStep(transcript);
  return withCell(withWork(closed, { step: { stepId, cell: nextCell(closed), held: "" } }), {
    type: "answer",
    at,
    isFinal: false,
    stepId,
    model: inertLine(model, lineCharacters),
    parts: [],
    sources: [],
    state: { type: "streaming" },
  });
}

/** A piece of a step that nobody began is a piece of nothing. */
function stream(transcript: Transcript, stepId: string, type: "text" | "thinking", delta: string): Transcript {
  const { step } = transcript.work;
  if (step?.stepId !== stepId) return transcript;
  const { text, held } = inertPiece(step.held, delta);
  const noted = held === step.held ? transcript : withWork(transcript, { step: { ...step, held } });
  return text === "" ? noted : changeAnswer(noted, step.cell, (parts) => joined(parts, { type, text }));
}

function draftCall(transcript: Transcript, { stepId, index, name, delta }: Of<"tool-arguments-delta">): Transcript {
  const { step } = transcript.work;
  if (step?.stepId !== stepId) return transcript;
  return changeAnswer(transcript, step.cell, (parts) => {
    const place = parts.findIndex((part) => part.type === "call-draft" && part.index === index);
    const before = parts[place];
    const characters = delta.length + (before?.type === "call-draft" ? before.characters : 0);
    const draft: AnswerPart = { type: "call-draft", index, tool: inertLine(name, lineCharacters), characters };
    return place === -1 ? [...parts, draft] : parts.with(place, draft);
  });
}

function changeAnswer(
  transcript: Transcript,
  place: number,
  change: (parts: readonly AnswerPart[]) => readonly AnswerPart[],
): Transcript {
  return changeCell(transcript, place, (cell) =>
    cell.type === "answer" ? { ...cell, parts: change(cell.parts) } : cell,
  );
}

/** Neighbours of one type are one: vendors cut a text at each citation. */
function joined(parts: readonly AnswerPart[], part: AnswerPart): readonly AnswerPart[] {
  const last = parts.at(-1);
  if (part.type === "text" && last?.type === "text")
    return [...parts.slice(0, -1), { type: "text", text: last.text + part.text }];
  if (part.type === "thinking" && last?.type === "thinking")
    return [...parts.slice(0, -1), { type: "thinking", text: last.text + part.text }];
  return [...parts, part];
}

/** What was shown of the answer is void, and goes. */
function retryStep(transcript: Transcript, record: Of<"step-retrying">, at: number): Transcript {
  const { step } = transcript.work;
  if (step?.stepId !== record.stepId) return retryCompaction(transcript, record, at);
  const noted = withWork(transcript, { step: null, retry: { cell: step.cell } });
  return changeCell(noted, step.cell, ({ at: begunAt }) => retryCell(record, begunAt, at));
}

function completeStep(transcript: Transcript, record: Of<"step-completed">, at: number): Transcript {
  const { message, reason, usage, stepId } = record;
  // The session's name for the model: a vendor may answer under a longer one.
  const model = modelOf(transcript, stepId) ?? `${message.origin.provider}/${message.origin.model}`;
  const answer = settleAnswer(transcript, record, at, {
    model: inertLine(model, lineCharacters),
    parts: partsOf(message),
    sources: citedSources(message),
    state: { type: "complete", reason },
  });
  const { turn } = answer.work;
  const counted = turn === null ? null : { ...turn, spending: addSpending(turn.spending, record) };
  const measured = usage.inputTokens === 0 ? null : { model, tokens: usage.inputTokens + usage.outputTokens };
  return openCalls({ ...withWork(answer, { turn: counted }), measured }, message, at);
}

function abandonStep(transcript: Transcript, record: Of<"step-abandoned">, at: number): Transcript {
  const { cause, text, thinking = "", failure } = record;
  const thought: readonly AnswerPart[] = thinking === "" ? [] : [{ type: "thinking", text: inertText(thinking) }];
  const said: readonly AnswerPart[] = text === "" ? [] : [{ type: "text", text: inertText(text) }];
  const message = failure === undefined ? {} : { message: inertText(failure.message) };
  return settleAnswer(transcript, record, at, {
    model: modelOf(transcript, record.stepId) ?? "",
    parts: [...thought, ...said],
    sources: [],
    state: { type: "abandoned", cause, ...message },
  });
}

/** Replaces what the pieces showed. A step that nobody began, or that waited to be tried again, gets a place of its own. */
function settleAnswer(
  transcript: Transcript,
  { stepId }: Of<"step-completed"> | Of<"step-abandoned">,
  at: number,
  settled: Pick<AnswerCell, "model" | "parts" | "sources" | "state">,
): Transcript {
  const { step } = transcript.work;
  const rest = withWork(transcript, { step: null, retry: null });
  const answer = { type: "answer", isFinal: true, stepId, ...settled } as const;
  return step?.stepId === stepId
    ? changeCell(rest, step.cell, (cell) => ({ ...answer, at: cell.at }))
    : withCell(rest, { ...answer, at });
}

function modelOf({ work, cells }: Transcript, stepId: string): string | undefined {
  const cell = work.step?.stepId === stepId ? itemAt(cells, work.step.cell) : undefined;
  return cell?.type === "answer" ? cell.model : undefined;
}

function partsOf(message: AssistantMessage): readonly AnswerPart[] {
  const said = message.content.reduce<readonly AnswerPart[]>((parts, block) => {
    if ((block.type !== "text" && block.type !== "thinking") || block.text === "") return parts;
    return joined(parts, { type: block.type, text: inertText(block.text) });
  }, []);
  const work = vendorWork(message).map((line): AnswerPart => ({ type: "vendor-work", ...line }));
  return [...said, ...work];
}
