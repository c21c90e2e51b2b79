import type { ModelEntry } from "@capstan/protocol";
import type { Settings } from "../load-settings.ts";
import { listModels } from "../models.ts";

/** What the configured keys reach, as every frontend lists it. */
export async function listEntries(settings: Settings): Promise<readonly ModelEntry[]> {
  const { models } = await listModels(settings, { all: false, signal: new AbortController().signal });
  return models.map(({ provider, id, contextWindowTokens, maxOutputTokens, prices }) => ({
    name: `${provider}/${id}`,
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(prices === undefined ? {} : { prices }),
  }));
}
