import type { Rule } from "@capstan/protocol";

const places = new WeakMap<Rule, string>();

/** Remembers where a rule was written. Rules are journaled as they are judged by, so they do not carry it themselves. */
export function noteRulePlace(rule: Rule, place: string): Rule {
  places.set(rule, place);
  return rule;
}

/** File and line, or the flag or variable, a rule came from; `undefined` for those Capstan makes itself. */
export function placeOfRule(rule: Rule): string | undefined {
  return places.get(rule);
}
