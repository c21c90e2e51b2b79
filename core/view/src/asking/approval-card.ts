import type { Action, FileChange, InteractionRequest } from "@capstan/protocol";
import { decisionLine } from "../decision-text.ts";
import { lineCharacters } from "../limits.ts";
import { warningsFor } from "../warnings-for.ts";
import { type AnswerChoice, answerChoices } from "./answer-choices.ts";

/** A question about a call: the facts that every frontend shows, in the order of their weight. Every text is inert, hidden characters named. */
export interface ApprovalCard {
  /** What it would do: verb and object; a command whole. */
  readonly title: string;
  /** What a user must know before anything else: nothing keeps it apart, odd characters, … */
  readonly warnings: readonly string[];
  /** Per file what would change in it; empty where that is not known. */
  readonly changes: readonly CardChange[];
  readonly isRisky: boolean;
  /** Why it is asked; `null` where it is no more than the mode: it changes something. */
  readonly reason: string | null;
  readonly choices: readonly AnswerChoice[];
}

export interface CardChange {
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted";
  readonly addedLines: number;
  readonly removedLines: number;
  /** Of the differing places, with the lines around them; empty where the texts are too different, or too long. */
  readonly lines: readonly CardLine[];
}

export interface CardLine {
  readonly type: "added" | "removed" | "same";
  readonly text: string;
}

type Approval = Extract<InteractionRequest, { type: "approval" }>;

export function approvalCard(request: Approval): ApprovalCard {
  const { action, changes = [], risk, reason, workspaceOffer, warnings } = request;
  return {
    title: titleOf(action),
    warnings: [...new Set([...warnings, ...oddTexts(action)])].map(oneLine),
    changes: changes.map(cardChange),
    isRisky: risk === "high",
    reason: workspaceOffer === true ? null : oneLine(reason),
    choices: answerChoices(request),
  };
}

export function cardChange({ path, kind, addedLines, removedLines, diff }: FileChange): CardChange {
  return { path: oneLine(path), kind, addedLines, removedLines, lines: diff === undefined ? [] : diffLines(diff) };
}

function titleOf({ summary, command }: Action): string {
  const text = oneLine(summary);
  if (command === undefined) return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  if (command.confinement.type === "sandbox") return `Run: ${text}`;
  return `${command.confinement.asked === undefined ? "Run WITHOUT A SANDBOX" : "Run OUTSIDE THE SANDBOX"}: ${text}`;
}

/** What is odd about the texts of a call themselves. */
function oddTexts({ arguments: args, summary }: Action): readonly string[] {
  const texts = Object.values(args).flatMap((value) =>
    typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === "string") : [],
  );
  return [...texts, summary].flatMap((text) => warningsFor(text));
}

/** A user decides on them, so that nothing in them is left out as it is in a diff that is only looked at. */
function diffLines(diff: string): readonly CardLine[] {
  const lines = diff.split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  return lines.slice(start === -1 ? lines.length : start).flatMap((line): readonly CardLine[] => {
    const type = lineTypes[line[0] ?? ""];
    return type === undefined ? [] : [{ type, text: oneLine(line.slice(1)) }];
  });
}

const lineTypes: Readonly<Record<string, CardLine["type"]>> = { "+": "added", "-": "removed", " ": "same" };

/** Far more than any sensible line has. */
function oneLine(text: string): string {
  return decisionLine(text, { limitCharacters: lineCharacters * 50 });
}
