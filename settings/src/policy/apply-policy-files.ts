import type { Rule } from "@capstan/protocol";
import type { LoadedConfig } from "../config/load-config.ts";
import type { PolicyFile } from "./policy-file.ts";
import { placeOfRule } from "./rule-place.ts";

const timeoutKey = "approvals.timeout_seconds";

/** The configuration with what policy files say of it and nobody set: how long an answer is waited for. The shortest counts. */
export function withPolicyFiles(loaded: LoadedConfig, files: readonly PolicyFile[]): LoadedConfig {
  const warnings = [...loaded.warnings, ...files.flatMap((file) => file.warnings)];
  const said = files.filter(({ timeoutSeconds }) => timeoutSeconds !== undefined);
  const [first] = said.toSorted((left, right) => (left.timeoutSeconds ?? 0) - (right.timeoutSeconds ?? 0));
  const settled = loaded.keys.get(timeoutKey);
  const isSet = loaded.origins.get(timeoutKey)?.layer !== "default" || settled?.locked !== undefined;
  if (first?.timeoutSeconds === undefined || settled === undefined || isSet) return { ...loaded, warnings };
  const value = first.timeoutSeconds;
  const origin = { layer: first.source === "managed" ? "managed" : "user", file: first.file } as const;
  return {
    ...loaded,
    warnings,
    values: { ...loaded.values, approvals: { ...loaded.values.approvals, timeout_seconds: value } },
    keys: new Map(loaded.keys).set(timeoutKey, { ...settled, value, layers: [...settled.layers, { value, origin }] }),
    origins: new Map(loaded.origins).set(timeoutKey, origin),
  };
}

/** Sentences about rules whose time is over. @param now  ms since 1970 */
export function expiredRules(rules: readonly Rule[], now: number): readonly string[] {
  return rules
    .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
    .map((rule) => {
      const date = new Date(rule.expiresAt ?? 0).toISOString();
      return `${placeOfRule(rule) ?? rule.source}: the rule ${JSON.stringify(rule.text)} expired on ${date} and counts no more`;
    });
}
