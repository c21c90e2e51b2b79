import type { EditorServer, EnginePlace, SessionPlace } from "@capstan/acp";
import { createHost, type Host, type Settings } from "@capstan/host";
import { type EngineClient, type JsonObject, type UserContent, userText } from "@capstan/protocol";
import { readAttachments } from "../attachments.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { expandPrompt } from "../custom-commands/expand-prompt.ts";
import { findCustomCommands } from "../custom-commands/find-custom-commands.ts";
import { readReferences } from "../prompt-references.ts";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

/** A host, and what the user has in its place. */
export interface OpenedPlace {
  readonly host: Host;
  readonly place: EnginePlace;
}

/** A host for what concerns no place. */
export async function openAnywhere(flags: SettingsFlags): Promise<Host> {
  return await hostWith(await settingsFromFlags(flags), flags);
}

/** @throws AppError `config.*`, `usage.workspace-missing` */
export async function openPlace(
  { cwd, directories, servers }: SessionPlace,
  given: SettingsFlags,
): Promise<OpenedPlace> {
  const flags = { ...given, cwd, addDir: [...(given.addDir ?? []), ...directories] };
  const own = await settingsFromFlags(flags);
  const { taken, notices } = distinct(servers, own);
  if (taken.length === 0) return await openWith(own, flags, notices);
  const editorServers = Object.fromEntries(taken.map((server) => [server.name, tableOf(server)]));
  const withServers = { ...flags, editorServers };
  return await openWith(await settingsFromFlags(withServers), withServers, notices);
}

async function openWith(settings: Settings, flags: SettingsFlags, notices: readonly string[]): Promise<OpenedPlace> {
  const host = await hostWith(settings, flags);
  return { host, place: placeOf(host, settings, notices) };
}

async function hostWith(settings: Settings, flags: SettingsFlags): Promise<Host> {
  return await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
}

function placeOf({ client }: Host, settings: Settings, notices: readonly string[]): EnginePlace {
  let models: Promise<readonly string[]> | undefined;
  return {
    engine: client,
    models: () => (models ??= namesOfModels(client)),
    notices: [...settings.loaded.warnings, ...notices],
    commands: () =>
      findCustomCommands(settings).map(({ name, description, argumentHint = "" }) => ({
        name,
        about: description,
        takes: argumentHint,
      })),
    expand: (words) => expanded(words, settings),
  };
}

/** A list that its vendor does not give is no reason to stop anything. */
async function namesOfModels(client: EngineClient): Promise<readonly string[]> {
  try {
    return (await client.models()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** A command of the user's attaches what it names; one of the workspace's does not. */
async function expanded(words: string, settings: Settings): Promise<readonly UserContent[]> {
  const { text, mayAttach } = expandPrompt(words, settings);
  if (text === words || !mayAttach) return userText(text);
  const { files, text: named } = readReferences(text);
  return [...(await readAttachments(files)), ...userText(named)];
}

/** The user's own servers come before those of the same name that an editor passes. */
function distinct(
  servers: readonly EditorServer[],
  { loaded }: Settings,
): { readonly taken: readonly EditorServer[]; readonly notices: readonly string[] } {
  const own = loaded.values.mcp_servers;
  const taken = servers.filter(({ name }) => !Object.hasOwn(own, name));
  const left = servers.filter(({ name }) => Object.hasOwn(own, name));
  return {
    taken,
    notices: [
      ...(taken.length === 0
        ? []
        : [`This session uses MCP servers that the editor passed: ${taken.map(shownServer).join("; ")}`]),
      ...left.map(
        ({ name }) => `The MCP server ${name} of the editor is left out: your configuration has one of that name`,
      ),
    ],
  };
}

function shownServer({ name, place }: EditorServer): string {
  return place.type === "http" ? `${name} (${place.url})` : `${name} (${[place.command, ...place.args].join(" ")})`;
}

/** A server as the configuration has it. */
function tableOf({ place }: EditorServer): JsonObject {
  if (place.type === "http") return { url: place.url, headers: place.headers };
  return { command: place.command, args: place.args, env: place.env };
}
