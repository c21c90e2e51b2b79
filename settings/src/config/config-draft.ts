import type { JsonValue } from "@capstan/protocol";
import { checkValue } from "./check-value.ts";
import { placeOf } from "./config-origin.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { KeyLines } from "./files/key-lines.ts";
import { pathText } from "./keys/config-path.ts";
import type { LayerStack } from "./layer-stack.ts";
import { quoteName } from "./quote.ts";
import type { ReadSettings, Setting } from "./read-settings.ts";

/** What the layers add to, one after the other. */
export interface ConfigDraft {
  readonly stack: LayerStack;
  readonly problems: ConfigProblem[];
  readonly warnings: string[];
  readonly files: string[];
}

/** Adds a layer in which every key must be known and every value must fit. */
export function addRead(draft: ConfigDraft, { settings, misplaced }: ReadSettings): void {
  for (const text of misplaced) draft.problems.push({ code: "config.invalid", text });
  for (const setting of settings) {
    const value = checkedValue(draft, setting);
    if (value !== undefined && !isWithoutEffect(draft, setting))
      draft.stack.add(setting.segments, setting.key, { value, origin: setting.origin });
  }
}

/** Whether a setting means nothing here, which is said. */
export function isWithoutEffect(draft: ConfigDraft, { segments, origin, notice }: Setting): boolean {
  if (notice === undefined) return false;
  draft.warnings.push(`${placeOf(origin)}: ${quoteName(pathText(segments))} has no effect: ${notice}`);
  return true;
}

/** The value when it fits; otherwise the problem is noted. `lines` finds the line of a part of the value. */
export function checkedValue(draft: ConfigDraft, setting: Setting, lines?: KeyLines): JsonValue | undefined {
  const { segments, key, value, origin, written = segments } = setting;
  const checked = checkValue(key, value);
  if (checked.type === "fits") return checked.value;
  const line = checked.at.length === 0 ? undefined : lines?.lineOf([...segments, ...checked.at]);
  const place = placeOf(line === undefined ? origin : { ...origin, line });
  draft.problems.push({
    code: "config.invalid",
    text: `${place}: ${quoteName(pathText(written))}: ${checked.problem}`,
  });
  return undefined;
}
