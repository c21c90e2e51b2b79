import { namedLanguageServers } from "@capstan/language-servers";
import { requireCompactor } from "./outside-compactors.ts";
import type { Settings } from "../load-settings.ts";

/** What a run refuses of settings that can be read: names that lead nowhere, and tables that lack what they are for. @throws AppError `config.invalid` */
export function checkSettings(settings: Settings): void {
  requireCompactor(settings.loaded.values.context.compactor, {});
  namedLanguageServers(settings);
}
