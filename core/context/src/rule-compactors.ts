import { type Message, type OwnCompactor, isOwnCompactor } from "@capstan/protocol";
import { classified, sentencesOf } from "./kept-words.ts";
import { digestFindings, digestLines, digestResultCharacters, openingMessages } from "./limits.ts";
import { cut, linesOf, mostRuleCharacters, ruleSummary } from "./rule-summary.ts";

/** What is taken out of view. */
export interface RuleSource {
  /** The summary that stood before these messages; `null`: none did. */
  readonly before: string | null;
  readonly messages: readonly Message[];
  /** Of the model that reads it, in tokens. */
  readonly budgetTokens: number;
}

type RuleCompactor = (source: RuleSource) => string;

/** Compactors that no model is asked for, each with what it leaves in place of older messages. */
const ruleCompactors: Readonly<Record<Exclude<OwnCompactor, "summarizer" | "distill">, RuleCompactor>> = {
  simple: nothingShown,
  token_budget: withOpening,
  intelligent: digest,
  rules: ({ before, messages, budgetTokens }) => ruleSummary(before, messages, mostRuleCharacters(budgetTokens)),
};

/** Whether a compactor of that name is rules alone. `undefined`: the usual one, a model. */
export function isRuleCompactor(name: string | undefined): name is keyof typeof ruleCompactors {
  return name !== undefined && isOwnCompactor(name) && Object.hasOwn(ruleCompactors, name);
}

/** What stands in place of older messages. A compactor that asks somebody who did not answer has the plainest rules. */
export function summaryByRules(compactor: string | undefined, source: RuleSource): string {
  return ruleCompactors[isRuleCompactor(compactor) ? compactor : "rules"](source);
}

function nothingShown({ before, messages }: RuleSource): string {
  const earlier = Number(/^(\d+) earlier messages are not shown/.exec(before ?? "")?.[1] ?? 0);
  return `${earlier + messages.length} earlier messages are not shown any more.`;
}

/** The first messages of a conversation say what it is about; of the others there is a line each. */
function withOpening({ before, messages, budgetTokens }: RuleSource): string {
  const most = mostRuleCharacters(budgetTokens);
  if (before !== null) return ruleSummary(before, messages, most);
  const opening = ["It began with:", ...messages.slice(0, openingMessages).flatMap(linesOf)].join("\n");
  const rest = ruleSummary(null, messages.slice(openingMessages), most / 2);
  return `${cut(opening, most / 2)}\n${rest}`;
}

/** What was decided, what was found out, and what each tool said last. */
function digest({ before, messages, budgetTokens }: RuleSource): string {
  const sentences = messages.flatMap(({ role, content }) =>
    content.flatMap((block) =>
      block.type === "text"
        ? sentencesOf(block.text).map((text) => ({ text, kind: classified(text, role === "user" ? "user" : "model") }))
        : [],
    ),
  );
  const decided = sentences.flatMap(({ text, kind }) => (kind === "decision" ? [text] : []));
  const found = sentences.flatMap(({ text }) => (finding.test(text) ? [text] : []));
  const parts = [
    section("Decided:", decided.slice(-digestFindings)),
    section("Found out:", found.slice(-digestFindings)),
    section("Tools that were used, with what each said last:", toolLines(messages).slice(-digestLines)),
  ].flat();
  const most = mostRuleCharacters(budgetTokens);
  const shown = cut(parts.join("\n"), most / 2);
  return [...(shown === "" ? [] : [shown]), ruleSummary(before, messages, most / 2)].join("\n");
}

const finding = /\b(found|error|warning|fails?|failed|because|turn(s|ed)? out|the cause|reason is)\b/i;

function section(heading: string, lines: readonly string[]): readonly string[] {
  const unlike = [...new Set(lines.map((line) => `- ${cut(line, digestResultCharacters)}`))];
  return unlike.length === 0 ? [] : [heading, ...unlike];
}

function toolLines(messages: readonly Message[]): readonly string[] {
  const used = new Map<string, { times: number; last: string }>();
  for (const { content } of messages)
    for (const block of content) {
      if (block.type !== "tool-result") continue;
      const times = (used.get(block.toolName)?.times ?? 0) + 1;
      used.delete(block.toolName);
      used.set(block.toolName, { times, last: block.content.replaceAll(/\s+/g, " ").trim() });
    }
  return [...used].map(([name, { times, last }]) => `${name}, ${times} times: ${last}`);
}
