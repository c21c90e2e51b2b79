import type { Facts, Recalled, RecalledPassage, ToolResult } from "@capstan/ports";
import { AppError, type JsonObject, type KnownFact } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";
import { maxRecalled, maxWordsLength, usualRecalled } from "./limits.ts";

/** `recall`: finds facts, and what was said earlier in this session, by words. */
export function createRecallTool(facts: Facts): ToolCode {
  return {
    prepare: async (args) =>
      await Promise.resolve({
        tool: "recall",
        arguments: { query: queryOf(args), limit: limitOf(args) },
        effect: "read",
        risk: "low",
        paths: [],
        summary: inertText(`recall ${queryOf(args)}`, maxWordsLength),
      }),
    run: async ({ arguments: args }, _staged, { workspace, sessionId, signal }) => {
      const words = queryOf(args);
      const request = { words, cwd: workspace.cwd, sessionId, limit: limitOf(args) };
      try {
        return toResult(words, await facts.recall(request, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) return { status: "failed", code: "tool.failed", content: error.message };
        throw error;
      }
    },
  };
}

function queryOf({ query }: JsonObject): string {
  return typeof query === "string" ? query : "";
}

function limitOf({ limit }: JsonObject): number {
  return typeof limit === "number" ? Math.min(limit, maxRecalled) : usualRecalled;
}

function toResult(words: string, { facts, passages }: Recalled): ToolResult {
  const details = { facts: facts.length, passages: passages.length };
  if (facts.length + passages.length === 0)
    return { status: "ok", content: `Nothing that was said or remembered has any of these words: ${words}`, details };
  const parts = [
    ...(facts.length === 0 ? [] : [[factsHeading(facts), ...facts.map(factLine)].join("\n")]),
    ...(passages.length === 0 ? [] : [["Said earlier in this session:", ...passages.map(passageText)].join("\n")]),
  ];
  return { status: "ok", content: parts.join("\n\n"), details };
}

function factsHeading(facts: readonly KnownFact[]): string {
  const stale = facts.filter(({ isStale }) => isStale).length;
  return `${facts.length} ${facts.length === 1 ? "fact" : "facts"}${stale === 0 ? "" : ` (${stale} may be out of date)`}:`;
}

/** A fact as a model reads it: when it was learned and from whom, whether it may be out of date, and its words. */
function factLine({ text, kind, by, at, isStale, scope }: KnownFact): string {
  const where = { user: ["for all work of the user"], session: ["this session"], workspace: [] }[scope];
  const stale = isStale ? ["may be out of date: a file it speaks of has changed since"] : [];
  const from = by === "model" ? "noted by the model" : kind === "code-state" ? "a change" : "said by the user";
  return `- [${[kind, dayOf(at), from, ...where, ...stale].join(" · ")}] ${text}`;
}

const speakers = { user: "the user", model: "you", tool: "a tool's result" };

function passageText({ seq, at, by, text }: RecalledPassage): string {
  return `--- ${speakers[by]}, ${dayOf(at)}, record ${seq}\n${text}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
