import {
  type Interaction,
  type InteractionAnswer,
  type InteractionRequest,
  isJsonObject,
  type PermissionMode,
  permissionModes,
  type Question,
  unreachable,
} from "@capstan/protocol";
import { answerChoices, approvalOf } from "@capstan/view";

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** What lines that a user typed come to. */
export type ReadAnswer =
  | { readonly type: "answer"; readonly answer: InteractionAnswer }
  /** Good so far; another line is needed. */
  | { readonly type: "more" }
  | { readonly type: "view" }
  | { readonly type: "unclear"; readonly problem: string };

/** @param lines  what was typed for this interaction, the last one just now */
export function readAnswer(interaction: Interaction, lines: readonly string[]): ReadAnswer {
  const { request, digest } = interaction;
  switch (request.type) {
    case "approval":
      return readApproval(request, digest, lines);
    case "question":
      return readReplies(request.questions, lines);
    case "plan-review":
      return readReview(digest, lines.at(-1) ?? "");
    case "budget":
      return readWord(lines, budgetWords);
    case "recovery":
      return readWord(lines, recoveryWords);
    default:
      return unreachable(request);
  }
}

const budgetWords: Readonly<Record<string, InteractionAnswer>> = {
  c: { type: "continue" },
  continue: { type: "continue" },
  s: { type: "stop" },
  stop: { type: "stop" },
};

const recoveryWords: Readonly<Record<string, InteractionAnswer>> = {
  d: { type: "accept-as-done" },
  r: { type: "run-again" },
  u: { type: "undo" },
  t: { type: "tell-model" },
  x: { type: "discard" },
};

/** Exactly one of these words; anything more might have been meant for something else. */
function readWord(lines: readonly string[], words: Readonly<Record<string, InteractionAnswer>>): ReadAnswer {
  const word = (lines.at(-1) ?? "").trim().toLowerCase();
  const answer = Object.hasOwn(words, word) ? words[word] : undefined;
  return answer === undefined
    ? unclear(`One of ${Object.keys(words).join(", ")} is needed.`)
    : { type: "answer", answer };
}

function readApproval(request: Approval, digest: string, lines: readonly string[]): ReadAnswer {
  const line = (lines.at(-1) ?? "").trim();
  if (lines.length > 1) return readEdit(digest, line);
  const [first, rest] = splitWord(line);
  const word = words[first.toLowerCase()] ?? first.toLowerCase();
  if (word === "v" && rest === "") return { type: "view" };
  const choices = answerChoices(request);
  const means = choices.find(({ number, key }) => word === key || word === String(number))?.means;
  if (means === undefined || (rest !== "" && means.type !== "deny" && means.type !== "edit"))
    return unclear(`One of ${choices.map(({ number }) => number).join(", ")} or v is needed.`);
  switch (means.type) {
    case "approve":
      return { type: "answer", answer: approvalOf({ digest }, means) };
    case "deny":
      return { type: "answer", answer: { type: "deny", ...(rest === "" ? {} : { message: rest }) } };
    case "edit":
      return rest === "" ? { type: "more" } : readEdit(digest, rest);
    case "later":
      return unclear("It waits on.");
    default:
      return unreachable(means);
  }
}

const words: Readonly<Record<string, string>> = { yes: "y", no: "n" };

function readEdit(digest: string, text: string): ReadAnswer {
  const value = parseJson(text);
  if (!isJsonObject(value)) return unclear("The arguments must be a JSON object.");
  return { type: "answer", answer: { type: "edit", digest, arguments: value } };
}

function readReplies(questions: readonly Question[], lines: readonly string[]): ReadAnswer {
  const last = (lines.at(-1) ?? "").trim();
  const [first, rest] = splitWord(last);
  if (first === "/deny") return { type: "answer", answer: { type: "deny", ...(rest === "" ? {} : { message: rest }) } };
  if (last === "") return unclear("An answer is needed.");
  if (lines.length < questions.length) return { type: "more" };
  const answers = questions.map((question, at) => chosen(question, lines[at] ?? ""));
  return { type: "answer", answer: { type: "reply", answers } };
}

/** Numbers stand for options, where there are such; anything else is what it says. */
export function chosen({ options, multiple }: Pick<Question, "options" | "multiple">, line: string): readonly string[] {
  const parts = multiple ? line.split(",") : [line];
  return parts.flatMap((part) => {
    const text = part.trim();
    if (text === "") return [];
    const option = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined;
    return [option?.label ?? text];
  });
}

function readReview(digest: string, line: string): ReadAnswer {
  const [first, rest] = splitWord(line.trim());
  switch (first.toLowerCase()) {
    case "p":
    case "c": {
      const decision = first.toLowerCase() === "p" ? "proceed" : "proceed-clean";
      if (rest === "") return { type: "answer", answer: { type: "plan", digest, decision } };
      const mode = permissionModes.filter((known) => known !== "plan").find((known) => known === rest);
      if (mode === undefined) return unclear(`After ${first} only a mode can follow: ${modes.join(", ")}.`);
      return { type: "answer", answer: { type: "plan", digest, decision, mode } };
    }
    case "a":
      if (rest === "") return unclear("Say after a what to change.");
      return { type: "answer", answer: { type: "plan", digest, decision: "adjust", message: rest } };
    case "x":
      return { type: "answer", answer: { type: "plan", digest, decision: "cancel" } };
    case "v":
      return { type: "view" };
    default:
      return unclear("p, c, a, x or v is needed.");
  }
}

const modes: readonly PermissionMode[] = permissionModes.filter((mode) => mode !== "plan");

function splitWord(line: string): readonly [first: string, rest: string] {
  const at = line.search(/\s/);
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at).trim()];
}

function unclear(problem: string): ReadAnswer {
  return { type: "unclear", problem };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
