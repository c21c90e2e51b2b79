import { boolean, type ConfigKey, string, tableList } from "./config-key.ts";

/** A key that configurations of others hold: it means one of ours, or something that is not there yet. */
export type OtherKey =
  | { readonly type: "means"; readonly path: string }
  /** `notice`: what a user must know, as the end of a sentence. */
  | { readonly type: "without-effect"; readonly key: Pick<ConfigKey, "type" | "default">; readonly notice: string };

/** Keys of Forge's documented configuration that have another name here, or no effect. */
export const otherKeys: ReadonlyMap<string, OtherKey> = new Map<string, OtherKey>([
  ["cache.enabled", { type: "means", path: "anthropic.cache_enabled" }],
  ["thinking.enabled", { type: "means", path: "anthropic.thinking_enabled" }],
  ["thinking.budget_tokens", { type: "means", path: "anthropic.thinking_budget_tokens" }],
  ["tools.approval.enabled", withoutEffect(boolean, "tools.approval.mode and permissions.mode say how much is asked")],
  [
    "tools.approval.prompt_side_effects",
    withoutEffect(boolean, "calls with effects are asked about as permissions.mode says"),
  ],
  ["tools.webfetch.user_agent", withoutEffect(string, "pages are asked for as `capstan-webfetch`")],
  ["tools.definitions", withoutEffect(tableList, "tools of your own cannot be configured yet")],
]);

function withoutEffect(type: ConfigKey["type"], notice: string): OtherKey {
  return { type: "without-effect", key: { type, default: null }, notice };
}
