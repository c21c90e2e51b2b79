import { join } from "node:path";
import type { ToolSource } from "@capstan/ports";
import { isJsonObject, type JsonObject, messageOf, type NoticeRecord } from "@capstan/protocol";
import { findPlugins } from "./find/find-plugins.ts";
import type { PluginPlaces } from "./find/plugin-places.ts";
import type { FoundPlugin } from "./find/plugin-file.ts";
import { orderPlugins } from "./order-plugins.ts";
import { PluginChoices } from "./plugin-choices.ts";
import { PluginTools } from "./plugin-tools.ts";
import { type PluginOptions, RunningPlugin } from "./running-plugin.ts";

export interface OpenOptions extends PluginOptions {
  readonly places: PluginPlaces;
  /** Names of plugins that run as the user, outside of the sandbox. */
  readonly trusted: readonly string[];
  /** Whether there is a sandbox that keeps apart: without it only trusted plugins run. */
  readonly isConfined: boolean;
  /** By the plugin's name. */
  readonly settings: JsonObject;
  /** What one result may bring to the model. */
  readonly outputBytes: number;
}

/** What became of a plugin when a workspace was opened. */
export interface PluginReport {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly from: FoundPlugin["from"];
  readonly file: string;
  readonly isTrusted: boolean;
  readonly tools: readonly string[];
  readonly services: readonly string[];
  readonly loadMs: number;
  readonly initializeMs: number;
}

export interface OpenedPlugins {
  readonly source: ToolSource;
  readonly reports: readonly PluginReport[];
  readonly services: JsonObject;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

interface Timed {
  readonly plugin: RunningPlugin;
  readonly loadMs: number;
}

/** Starts every plugin that is there, as it was when it was first used, and on. One that fails is reported, and harms no other. */
export async function openFoundPlugins(options: OpenOptions): Promise<OpenedPlugins> {
  const notices: Omit<NoticeRecord, "type">[] = [];
  const leave: Leave = ({ id, folder, entry }, problem) => void notices.push(leftOut(id, join(folder, entry), problem));
  const { plugins, left } = await findPlugins(options.places);
  notices.push(...left.map(({ id, file, problem }) => leftOut(id, file, problem)));
  const choices = new PluginChoices(options.places.home);
  const wanted = plugins.filter((found) => isWanted(found, choices, leave));
  const loaded = await loadAll(wanted, options, leave);
  const unique = firstOfEachName(loaded, leave);
  const { ordered, left: unmet } = orderPlugins(unique.map((timed) => ({ ...timed.plugin.manifest, timed })));
  for (const { plugin, problem } of unmet) {
    leave(plugin.timed.plugin.found, problem);
    await plugin.timed.plugin.close();
  }
  const tools = new PluginTools(options.outputBytes);
  const reports: PluginReport[] = [];
  let services: JsonObject = {};
  for (const { timed, dependencies } of ordered) {
    const { plugin } = timed;
    const missing = dependencies.find((name) => !reports.some((report) => report.name === name));
    const started = performance.now();
    try {
      if (missing !== undefined) throw new Error(`the plugin ${missing}, on which it depends, did not start`);
      await plugin.initialize(configOf(plugin.manifest.name, options.settings), services);
      tools.add(plugin);
      services = { ...services, ...plugin.services };
      reports.push(reportOf(timed, performance.now() - started));
      notices.push(...plugin.remarks.map((remark) => partLeftOut(plugin.found, remark)));
    } catch (error) {
      leave(plugin.found, messageOf(error));
      await plugin.close();
    }
  }
  return { source: tools, reports, services, notices };
}

type Leave = (found: FoundPlugin, problem: string) => void;

function isWanted(found: FoundPlugin, choices: PluginChoices, leave: Leave): boolean {
  if (choices.isDisabled(found.id)) return false;
  const changed = choices.compare(found);
  if (changed === undefined) return true;
  const problem = `it is not what it was when it was first used: ${changed.files.join(", ")}`;
  leave(found, `${problem}. To use it as it is now: capstan plugins enable ${found.id}`);
  return false;
}

async function loadAll(wanted: readonly FoundPlugin[], options: OpenOptions, leave: Leave): Promise<readonly Timed[]> {
  const loaded = await Promise.all(
    wanted.map(async (found): Promise<readonly Timed[]> => {
      const isTrusted = found.from !== "workspace" && options.trusted.includes(found.id);
      const started = performance.now();
      try {
        if (!isTrusted && !options.isConfined)
          throw new Error(
            'plugins run in the sandbox, and there is none; see "capstan doctor", or name it in plugins.trusted',
          );
        return [{ plugin: await RunningPlugin.load(found, isTrusted, options), loadMs: performance.now() - started }];
      } catch (error) {
        leave(found, messageOf(error));
        return [];
      }
    }),
  );
  return loaded.flat();
}

function firstOfEachName(loaded: readonly Timed[], leave: Leave): readonly Timed[] {
  const taken = new Set<string>();
  return loaded.filter(({ plugin }) => {
    const { name } = plugin.manifest;
    const isFirst = !taken.has(name);
    taken.add(name);
    if (isFirst) return true;
    leave(plugin.found, `there is another plugin named ${name}, which counts more`);
    void plugin.close();
    return false;
  });
}

function configOf(name: string, settings: JsonObject): JsonObject {
  const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return isJsonObject(own) ? own : {};
}

function reportOf({ plugin, loadMs }: Timed, initializeMs: number): PluginReport {
  const { found, manifest, isTrusted } = plugin;
  return {
    id: found.id,
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    from: found.from,
    file: join(found.folder, found.entry),
    isTrusted,
    tools: plugin.tools.map(({ name }) => name),
    services: Object.keys(plugin.services),
    loadMs: Math.round(loadMs),
    initializeMs: Math.round(initializeMs),
  };
}

function leftOut(id: string, file: string, problem: string): Omit<NoticeRecord, "type"> {
  return { level: "warning", code: "plugin.left-out", text: `the plugin ${id} (${file}) is left out: ${problem}` };
}

function partLeftOut({ id, folder, entry }: FoundPlugin, remark: string): Omit<NoticeRecord, "type"> {
  const text = `the plugin ${id} (${join(folder, entry)}) is used without ${remark}`;
  return { level: "warning", code: "plugin.left-out", text };
}
