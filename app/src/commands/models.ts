import { listModels, type ModelList, refreshCatalog } from "@capstan/host";
import { type CancelReason, exitCodes } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { onStopSignal, wantsColors } from "../terminal.ts";
import { modelsTable } from "./models-table.ts";

interface ListFlags extends SettingsFlags {
  readonly provider?: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

/** `capstan models [FILTER]`: what the configured keys can reach. */
export async function listModelsCommand(filter: string | undefined, flags: ListFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  return untilStopped(async (signal) => {
    const list = await listModels(settings, {
      all: flags.all === true,
      signal,
      ...(filter === undefined ? {} : { filter }),
      ...(flags.provider === undefined ? {} : { provider: flags.provider }),
    });
    if (flags.json === true) print(JSON.stringify(list, null, 2));
    else if (list.models.length > 0) print(modelsTable(list.models, wantsColors(process.stdout)));
    for (const line of remarks(list, filter)) process.stderr.write(`capstan: ${line}\n`);
  });
}

/** `capstan models refresh`: gets the public catalog and says what it brought. */
export async function refreshModels(flags: SettingsFlags & { readonly json?: boolean }): Promise<number> {
  const settings = await settingsFromFlags(flags);
  return untilStopped(async (signal) => {
    const report = await refreshCatalog(settings, signal);
    const { source, file, models, vendors, newModels, changedPrices, skipped } = report;
    const left = skipped === 0 ? "" : `; ${counted(skipped, "entry", "entries")} could not be read`;
    print(
      flags.json === true
        ? JSON.stringify(report)
        : inertLine(
            `Wrote ${file}: ${counted(models, "model", "models")} of ${counted(vendors, "vendor", "vendors")} from ${source}; ${newModels} new, ${changedPrices} with other prices${left}.`,
            maxLineCharacters,
          ),
    );
  });
}

const maxLineCharacters = 1000;

/** Runs until it is done or a signal stops it. @returns the exit code */
async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const stop = new AbortController();
  let reason: CancelReason | undefined;
  const unlisten = onStopSignal((why) => {
    reason = why;
    stop.abort(new Error(why));
  });
  try {
    await work(stop.signal);
    return 0;
  } catch (error) {
    if (reason === undefined) throw error;
    return exitCodes[reason];
  } finally {
    unlisten();
  }
}

/** What is no model, but worth knowing. */
function remarks({ models, silent, alsoAs }: ModelList, filter: string | undefined): readonly string[] {
  const silences = silent.map(({ provider, message, fromCatalog }) => {
    const instead = fromCatalog ? "; its models are listed as the catalog knows them" : "";
    return inertLine(`${provider} did not say which models it has: ${message}${instead}`, maxLineCharacters);
  });
  const doubles = Object.entries(alsoAs)
    .filter(([provider]) => models.some((model) => model.provider === provider))
    .map(([provider, names]) => `${provider}/ID can also be written ${names.map((name) => `${name}/ID`).join(", ")}`);
  const none = models.length > 0 ? [] : [noModel(filter)];
  return [...silences, ...doubles, ...none];
}

function noModel(filter: string | undefined): string {
  return filter === undefined
    ? "no models are known here; name one with -m provider/id"
    : `no model's name has ${JSON.stringify(filter)} in it`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
