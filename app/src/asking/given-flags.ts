import type { SettingsFlags } from "../command-line/settings-flags.ts";

/** Flags of which a hint might speak, and that a user gave. */
export function givenFlags({
  allow,
  permissionMode,
  onAsk,
}: SettingsFlags & { readonly onAsk?: string }): ReadonlySet<string> {
  return new Set([
    ...(allow === undefined ? [] : ["--allow"]),
    ...(permissionMode === undefined ? [] : ["--permission-mode"]),
    ...(onAsk === undefined ? [] : ["--on-ask"]),
  ]);
}
