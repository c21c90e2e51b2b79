import type { GivenSettings } from "@capstan/cli";
import { givenKeys, givenSettings, type Settings } from "@capstan/host";
import { isYolo, type SettingsFlags } from "./settings-flags.ts";

/** Keys that only the process which has a session open can set for it. */
const ofItsProcess = /^(?:permissions\.(?:allow|deny)|sandbox|prompt|tools\.disabled)\b/;

/** What the flags say anew for a session that another process has open. */
export function givenToJoined(settings: Settings, flags: SettingsFlags): GivenSettings {
  const roots = (flags.addDir ?? []).length === 0 ? [] : ["--add-dir"];
  return {
    patch: givenSettings(settings),
    fixed: [
      ...givenKeys(settings).filter((key) => ofItsProcess.test(key)),
      ...roots,
      ...(isYolo(flags) ? ["--yolo"] : []),
    ],
  };
}
