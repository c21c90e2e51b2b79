import type { Rule } from "@capstan/protocol";
import { compilePathPattern, type PathPattern, protectedPath } from "./path-pattern.ts";

/** A pure function's memory: rules live as long as a session's configuration, and are asked about at every call. */
const compiled = new WeakMap<Rule, PathPattern | { readonly problem: string }>();

/** The rule's path pattern, read once per rule; `undefined` when it has none. */
export function rulePath(rule: Rule): PathPattern | { readonly problem: string } | undefined {
  if (rule.path === undefined) return undefined;
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const pattern = rule.protects === true ? protectedPath(rule.path) : compilePathPattern(rule.path);
  compiled.set(rule, pattern);
  return pattern;
}
