import type { EditorServer, EnginePlace, EnginePlaces, SessionPlace } from "@capstan/acp";
import { createHost, type Host, type Settings } from "@capstan/host";
import { type EngineClient, type JsonObject, type UserContent, userText } from "@capstan/protocol";
import { readAttachments } from "../attachments.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { expandPrompt } from "../custom-commands/expand-prompt.ts";
import { findCustomCommands } from "../custom-commands/find-custom-commands.ts";
import { readReferences } from "../prompt-references.ts";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

interface Opened {
  readonly host: Host;
  readonly place: EnginePlace;
}

/** A host for each place that sessions were opened in; all of them have the same store. */
export class HostPlaces implements EnginePlaces {
  readonly #flags: SettingsFlags;
  readonly #opened = new Map<string, Promise<Opened>>();
  #anywhere: Promise<Host> | undefined;

  constructor(flags: SettingsFlags) {
    this.#flags = flags;
  }

  /** The host of the directory that the process was started in, or of any place. */
  async anywhere(): Promise<EngineClient> {
    const [first] = this.#opened.values();
    if (first !== undefined) return (await first).host.client;
    this.#anywhere ??= this.#openAnywhere();
    return (await this.#anywhere).client;
  }

  async at(place: SessionPlace): Promise<EnginePlace> {
    const key = JSON.stringify(place);
    const opened = this.#opened.get(key) ?? this.#open(place);
    this.#opened.set(key, opened);
    // What was wrong may be right by the next time.
    opened.catch(() => this.#opened.delete(key));
    return (await opened).place;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    for (const each of opened) if (each.status === "fulfilled") await each.value.host.close();
    await (await this.#anywhere)?.close();
  }

  async #openAnywhere(): Promise<Host> {
    return await hostWith(await settingsFromFlags(this.#flags), this.#flags);
  }

  async #open({ cwd, directories, servers }: SessionPlace): Promise<Opened> {
    const flags = { ...this.#flags, cwd, addDir: [...(this.#flags.addDir ?? []), ...directories] };
    const own = await settingsFromFlags(flags);
    const { given, notices } = distinct(servers, own);
    if (given.length === 0) return await openPlace(own, flags, notices);
    const editorServers = Object.fromEntries(given.map((server) => [server.name, tableOf(server)]));
    const withServers = { ...flags, editorServers };
    return await openPlace(await settingsFromFlags(withServers), withServers, notices);
  }
}

async function openPlace(settings: Settings, flags: SettingsFlags, notices: readonly string[]): Promise<Opened> {
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
): { readonly given: readonly EditorServer[]; readonly notices: readonly string[] } {
  const own = loaded.values.mcp_servers;
  const given = servers.filter(({ name }) => !Object.hasOwn(own, name));
  const left = servers.filter(({ name }) => Object.hasOwn(own, name));
  return {
    given,
    notices: [
      ...(given.length === 0
        ? []
        : [`This session uses MCP servers that the editor passed: ${given.map(shownServer).join("; ")}`]),
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
