import {
  AppError,
  type JsonObject,
  modeSentences,
  type PermissionMode,
  permissionModes,
  type SessionConfig,
  type SettingsPatch,
} from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { offeredModels, titleCharacters } from "../limits.ts";
import type { ConfigOption } from "../updates/update-types.ts";

const modeNames: Readonly<Record<PermissionMode, string>> = {
  plan: "Plan",
  default: "Default",
  "accept-edits": "Accept edits",
  auto: "Auto",
};

/** The modes, as a client's mode selector takes them. */
export function modeState({ mode }: SessionConfig): object {
  return { currentModeId: mode, availableModes: modes.map(({ value: id, ...shown }) => ({ id, ...shown })) };
}

const modes = permissionModes.map((mode) => ({ value: mode, name: modeNames[mode], description: modeSentences[mode] }));

/**
 * What of a session's settings can be chosen.
 * @param models  `provider/id` of those that can be asked, as far as they are known
 */
export function configOptions({ mode, model }: SessionConfig, models: readonly string[]): readonly ConfigOption[] {
  const current = `${model.provider}/${model.id}`;
  const names = [...new Set([current, ...models])].slice(0, offeredModels);
  return [
    { id: "mode", name: "Mode", category: "mode", type: "select", currentValue: mode, options: modes },
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: current,
      options: names.map((name) => ({ value: name, name: inertLine(name, titleCharacters) })),
    },
    {
      id: "effort",
      name: "Effort",
      category: "thought_level",
      type: "select",
      currentValue: effortOf(model.options),
      options: efforts.map((value) => ({ value, name: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}` })),
    },
  ];
}

const efforts: readonly string[] = ["default", "minimal", "low", "medium", "high", "xhigh", "max"];

/** As the model is asked, in the words of its vendor; one that says nothing of it is asked as the vendor has it. */
function effortOf(options: JsonObject): string {
  const asked = options["thinking_effort"] ?? options["reasoning_effort"] ?? options["thinking_level"];
  return typeof asked === "string" && efforts.includes(asked) ? asked : "default";
}

/** What choosing a value means. @throws AppError for an option or a mode that there is not */
export function patchOf(configId: string, value: string): SettingsPatch {
  switch (configId) {
    case "mode":
      return { mode: modeNamed(value) };
    case "model":
      return { model: value };
    case "effort":
      return { effort: value };
    default:
      throw new AppError("usage.invalid", `there is no option ${JSON.stringify(configId)}`, {
        hint: "The options are mode, model and effort.",
      });
  }
}

/** @throws AppError for a mode that there is not */
export function modeNamed(name: string): PermissionMode {
  const mode = permissionModes.find((known) => known === name);
  if (mode !== undefined) return mode;
  throw new AppError("usage.invalid", `there is no mode ${JSON.stringify(name)}`, {
    hint: `The modes are ${permissionModes.join(", ")}.`,
  });
}
