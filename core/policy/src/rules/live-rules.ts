import { type Rule, type ScriptContent, unreadScript } from "@capstan/protocol";
import { isDestructive } from "../destructive.ts";
import type { JudgedAction, Situation } from "../situation.ts";

/** The rules that count for an action now: not expired, about its origin and what it may lose, and bound to no script that has changed. */
export function liveRules(action: JudgedAction, { policy, frontend, now }: Situation): readonly Rule[] {
  if (areAlwaysLive(policy.rules)) return policy.rules;
  const loses = isDestructive(action);
  return policy.rules.filter(
    ({ expiresAt, origin, scripts, destructive }) =>
      (destructive === undefined || destructive === loses) &&
      (expiresAt === undefined || now < expiresAt) &&
      (origin === undefined || origin === frontend) &&
      (scripts === undefined || sameScripts(scripts, action.command?.scripts ?? [])),
  );
}

/** A pure function's memory: a session judges all its calls by one list of rules. */
const alwaysLive = new WeakMap<readonly Rule[], boolean>();

function areAlwaysLive(rules: readonly Rule[]): boolean {
  const known = alwaysLive.get(rules);
  if (known !== undefined) return known;
  const found = rules.every(
    ({ expiresAt, origin, scripts, destructive }) =>
      expiresAt === undefined && origin === undefined && scripts === undefined && destructive === undefined,
  );
  alwaysLive.set(rules, found);
  return found;
}

/** Every script the command runs now is one the rule was made for, unchanged, and the other way round. What could not be read is never the same. */
function sameScripts(bound: readonly ScriptContent[], run: readonly ScriptContent[]): boolean {
  return (
    bound.length === run.length &&
    bound.every(
      ({ path, sha256 }) =>
        sha256 !== unreadScript && run.some((script) => script.path === path && script.sha256 === sha256),
    )
  );
}
