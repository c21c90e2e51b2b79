import type { GivenSettings } from "@capstan/cli";
import { givenKeys, givenSettings, type Settings } from "@capstan/host";
import { isYolo, type SettingsFlags } from "./settings-flags.ts";

/** Keys that only the process which has a session open can set for it: those that may forbid something, and the others. */
const forbidding = /^(?:permissions\.deny|sandbox)\b/;
const others = /^(?:permissions\.allow|prompt|tools\.(?:enabled|disabled)|app\.effort)\b/;

/** What the flags say again for a session that another process has open. */
export function givenToJoined(settings: Settings, flags: SettingsFlags): GivenSettings {
  const keys = givenKeys(settings);
  const roots = (flags.addDir ?? []).length === 0 ? [] : ["--add-dir"];
  return {
    patch: givenSettings(settings),
    fixed: keys.filter((key) => forbidding.test(key)),
    ignored: [...keys.filter((key) => others.test(key)), ...roots, ...(isYolo(flags) ? ["--yolo"] : [])],
  };
}
