import { listProblems, type ProblemList } from "@capstan/language-servers";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { isolationFor, openSandbox } from "./open-sandbox.ts";

/** What language servers say of files of the workspace. @throws AppError `usage.invalid`, `config.invalid` */
export async function problemsHere(settings: Settings, names: readonly string[]): Promise<ProblemList> {
  const sandbox = openSandbox(settings, await prepareDataDirectory(settings.home));
  return await listProblems(settings, { sandbox, isolation: await isolationFor(settings, sandbox) }, names);
}
