import { explainKey, setValue, type Settings, unsetValue } from "@capstan/host";
import type { SettingsDesk } from "@capstan/tui";
import { explainedLines } from "../configuration/show-config.ts";
import { changeLines, overruledText, userFile } from "../configuration/change-config.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";

/** The configuration as the terminal UI shows and changes it. @param begun  what was read when it began */
export function openSettingsDesk(begun: Settings, flags: SettingsFlags): SettingsDesk {
  let settings = begun;
  return {
    explain(key) {
      const explained = explainKey(settings.loaded, key);
      const { accepts, choices, value, origin } = explained;
      return {
        lines: explainedLines(explained),
        accepts,
        choices,
        value: typeof value === "string" ? value : JSON.stringify(value),
        isOwn: origin.layer === "user" && origin.preset === undefined,
      };
    },
    async change(key, text) {
      const changed = text === null ? unsetValue(key) : await setValue(key, text, process.env);
      const file = await userFile(flags.config);
      const before = explainKey(settings.loaded, changed.key).value;
      const to = changed.value === null ? "what is below counts" : JSON.stringify(changed.value);
      return {
        lines: [`${changed.path}: ${JSON.stringify(before)} → ${to}`, file],
        async write() {
          const isChanged = await changed.write(file);
          settings = await settingsFromFlags({ ...flags, cwd: settings.workspace.cwd });
          const overruled = overruledText(changed, settings, file);
          return [...changeLines(changed, { file, isChanged }), ...(overruled === null ? [] : [overruled])];
        },
      };
    },
  };
}
