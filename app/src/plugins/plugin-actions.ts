import {
  type ChangedPlugin,
  didYouMean,
  findPlugins,
  type FoundPlugin,
  isolationFor,
  openSandbox,
  PluginChoices,
  pluginPlaces,
  pluginsOf,
  prepareDataDirectory,
  type Settings,
} from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";
import { version } from "../version.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan plugins list`. */
export async function listPlugins({ json = false }: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const { plugins, left } = await findPlugins(pluginPlaces(settings));
  const choices = new PluginChoices(settings.home);
  for (const found of plugins) {
    const standing = standingOf(found, choices, settings);
    const { id, from, folder, entry } = found;
    print(json ? JSON.stringify({ id, from, file: `${folder}/${entry}`, ...standing }) : lineOf(found, standing));
  }
  for (const { id, file, problem } of left) {
    if (json) print(JSON.stringify({ id, file, isUsed: false, why: problem }));
    else print(`${id}  not used: ${problem}`);
  }
  for (const line of json ? [] : remarks(settings, plugins.length + left.length)) process.stderr.write(`${line}\n`);
  return 0;
}

interface Standing {
  readonly isUsed: boolean;
  readonly isTrusted: boolean;
  /** Why it is not used. */
  readonly why: string | null;
}

function standingOf(found: FoundPlugin, choices: PluginChoices, { loaded }: Settings): Standing {
  const { enabled, trusted } = loaded.values.plugins;
  const changed = choices.changed(found);
  const why = !enabled
    ? "plugins.enabled is false"
    : choices.isDisabled(found.id)
      ? `it is off; to use it: capstan plugins enable ${found.id}`
      : changed === undefined
        ? null
        : changeText(found, changed);
  return { isUsed: why === null, isTrusted: found.from !== "workspace" && trusted.includes(found.id), why };
}

function changeText({ id }: FoundPlugin, { files }: ChangedPlugin): string {
  return `it is not what it was when it was first used: ${files.join(", ")}. To use it as it is now: capstan plugins enable ${id}`;
}

const places = { user: "", configured: " (configured)", workspace: " (this folder)" } as const;

function lineOf({ id, from, folder, entry }: FoundPlugin, { isTrusted, why }: Standing): string {
  const how = why === null ? (isTrusted ? "runs as you" : "in the sandbox") : `not used: ${why}`;
  return `${id}${places[from]}  ${how}  ${folder}/${entry}`;
}

function remarks({ home, trust }: Settings, count: number): readonly string[] {
  const brought = trust.ignored.some((place) => place.class === "plugins");
  return [
    ...(count === 0 ? [`There are no plugins: none in ${inertText(home)}/plugins.`] : []),
    ...(brought ? ["This folder brings plugins along; they count once you trust it: capstan trust add"] : []),
  ];
}

/** `capstan plugins show NAME`: started as a session starts it, and ended. */
export async function showPlugin(name: string, { json = false }: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const found = await requirePlugin(name, settings);
  const sandbox = openSandbox(settings, await prepareDataDirectory(settings.home));
  const opened = await pluginsOf(settings, { sandbox, version, isolation: await isolationFor(settings, sandbox) });
  try {
    const report = opened?.reports.find(({ id, from }) => id === found.id && from === found.from);
    const problems = (opened?.notices ?? []).map(({ text }) => text).filter((text) => text.includes(` ${found.id} (`));
    if (report === undefined) {
      const why = problems[0] ?? standingOf(found, new PluginChoices(settings.home), settings).why;
      throw new AppError("usage.invalid", why ?? `the plugin ${found.id} did not start`, {
        hint: "Try: capstan plugins list",
      });
    }
    const tools = (opened?.source.tools() ?? [])
      .map(({ definition, effect }) => ({ name: definition.name, description: definition.description, effect }))
      .filter((tool) => report.tools.includes(tool.name));
    if (json) print(JSON.stringify({ ...report, tools }));
    else
      print(
        [
          `${report.name} ${report.version}${report.description === "" ? "" : `: ${report.description}`}`,
          report.file,
          `Runs: ${report.isTrusted ? "as you, outside of the sandbox" : "in the sandbox, with the workspace read-only and no network"}`,
          ...tools.map((tool) => `Tool ${tool.name} (${tool.effect}): ${tool.description}`),
          ...report.services.map((service) => `Service ${service}`),
          `Loaded in ${report.loadMs} ms, initialized in ${report.initializeMs} ms`,
        ].join("\n"),
      );
    return 0;
  } finally {
    await opened?.source.close();
  }
}

/** `capstan plugins enable NAME`. */
export async function enablePlugin(name: string): Promise<number> {
  const settings = await settingsFromFlags({});
  const found = await requirePlugin(name, settings);
  const choices = new PluginChoices(settings.home);
  const changed = choices.changed(found);
  choices.accept(found);
  print(`${found.id} is used as it is now${changed === undefined ? "" : `: ${changed.files.join(", ")}`}.`);
  return 0;
}

/** `capstan plugins disable NAME`. */
export async function disablePlugin(name: string): Promise<number> {
  const settings = await settingsFromFlags({});
  const found = await requirePlugin(name, settings);
  new PluginChoices(settings.home).disable(found.id);
  print(`${found.id} is not used any more. To use it again: capstan plugins enable ${found.id}`);
  return 0;
}

async function requirePlugin(name: string, settings: Settings): Promise<FoundPlugin> {
  const { plugins, left } = await findPlugins(pluginPlaces(settings));
  const found = plugins.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const wrong = left.find(({ id }) => id === name);
  const names = [...plugins, ...left].map(({ id }) => id);
  const problem = wrong?.problem ?? `there is no plugin ${JSON.stringify(name)}${didYouMean(name, names)}`;
  throw new AppError("usage.invalid", problem, { hint: "Try: capstan plugins list" });
}

function print(text: string): void {
  process.stdout.write(`${inertText(text)}\n`);
}
