import type { Rule } from "@capstan/protocol";
import { type CommandPattern, compileCommandPattern } from "./command-pattern.ts";

/** A pure function's memory: rules live as long as a session's configuration, and are asked about at every call. */
const compiled = new WeakMap<Rule, CommandPattern | { readonly problem: string }>();

/** The rule's command pattern, read once per rule; a rule without one speaks of every command. */
export function ruleCommand(rule: Rule): CommandPattern | { readonly problem: string } {
  if (rule.command === undefined) return everyCommand;
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const pattern = compileCommandPattern(rule.command);
  compiled.set(rule, pattern);
  return pattern;
}

/** Speaks of every command. */
export const everyCommand: CommandPattern = { type: "everything" };
