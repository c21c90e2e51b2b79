import { findHooks, type FoundHooks } from "@capstan/hooks";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { isolationFor, openSandbox } from "./open-sandbox.ts";

/** Every hook that is named, with why one does not run. @throws AppError `config.invalid` */
export async function namedHooks(settings: Settings): Promise<FoundHooks> {
  const sandbox = openSandbox(settings, await prepareDataDirectory(settings.home));
  return await findHooks(settings, await isolationFor(settings, sandbox));
}
