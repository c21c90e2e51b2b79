import type {
  Agents,
  Checkpoints,
  Facts,
  ProgramTool,
  Sandbox,
  SessionStore,
  Skills,
  ToolSource,
} from "@capstan/ports";
import { AppError, type Grant, type Policy, type Rule, type Workspace } from "@capstan/protocol";
import { createRedactor, type Redactor } from "@capstan/runtime";
import { openSqliteStore } from "@capstan/storage";
import {
  type BackgroundCommands,
  builtInSource,
  composeCatalog,
  type ComposedCatalog,
  programSource,
  type ToolsOptions,
} from "@capstan/tools";
import { factsWhereOn, openFacts } from "./open-facts.ts";
import { type DataDirectory, describeOrigin, didYouMean, prepareDataDirectory, secretValues } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { homeOf, openSandbox } from "./open-sandbox.ts";
import { SessionArchive } from "./session/session-archive.ts";
import { toolsOptions } from "./session/tools-options.ts";

/** The sessions on disk, without anything that could run one. */
export async function openArchive(settings: Pick<Settings, "home">): Promise<SessionArchive> {
  return new SessionArchive(await openStore(await prepareDataDirectory(settings.home)));
}

/** What the tools work with, where it is there already. */
interface ToolSurroundings {
  readonly redact?: Redactor;
  readonly sandbox?: Sandbox;
  /** What sessions run in the background; absent: there is no session. */
  readonly background?: BackgroundCommands;
  /** Tools of the program, or a source of them; built-in tools count more. */
  readonly added?: readonly ProgramTool[] | ToolSource;
  /** The tools of plugins, which count less than the program's. */
  readonly plugins?: ToolSource | null;
  /** The tools of servers, which count least. */
  readonly servers?: ToolSource | null;
  /** What is remembered; `null`: nothing is. Absent: what the data directory has. */
  readonly facts?: Facts | null;
  /** `null`: there are none. */
  readonly skills?: Skills | null;
  /** `null`: none can be called. */
  readonly agents?: Agents | null;
}

/** The tools under these settings. */
export function openTools(
  settings: Settings,
  data: DataDirectory,
  surroundings: ToolSurroundings = {},
): ComposedCatalog {
  const { added = [], plugins = null, servers = null } = surroundings;
  const { loaded } = settings;
  const options = optionsOf(settings, data, surroundings);
  const sources = "subscribe" in added ? [added] : programSources(added, options.limits.outputBytes);
  const all = [builtInSource(options), ...sources, ...[plugins, servers].filter((source) => source !== null)];
  const { enabled, disabled } = loaded.values.tools;
  if (enabled === null && disabled.length === 0) return composeCatalog(all);
  // Tools that come and go may have any name.
  if (!("subscribe" in added)) requireTools(composeCatalog(all), loaded);
  return composeCatalog(all, { enabled, disabled });
}

function optionsOf(settings: Settings, data: DataDirectory, surroundings: ToolSurroundings): ToolsOptions {
  const {
    redact = redactorOf(settings),
    sandbox = openSandbox(settings, data),
    background,
    skills = null,
    agents = null,
    facts = factsWhereOn(openFacts(data, { redact }), settings),
  } = surroundings;
  const { loaded, env } = settings;
  return toolsOptions(loaded.values, env, {
    home: homeOf(env),
    dataFolder: data.root,
    spillDirectory: data.spill,
    statusDirectory: data.runs,
    sandbox,
    redact,
    background,
    ...(facts === null ? {} : { memory: { facts, isTrusted: settings.trust.trusted } }),
    ...(skills === null ? {} : { skills }),
    ...(agents === null ? {} : { agents }),
  });
}

/** A name that means no tool would leave one out, or in, without a word. @throws AppError `config.invalid` */
function requireTools(all: ComposedCatalog, { values, origins }: Settings["loaded"]): void {
  const names = all.names();
  for (const key of ["enabled", "disabled"] as const) {
    const origin = origins.get(`tools.${key}`);
    if (key === "disabled" && origin?.layer !== "flag") continue;
    // A server that does not work today is no mistake in the name of its tool.
    const unknown = (values.tools[key] ?? []).find((name) => !name.startsWith("mcp__") && all.find(name) === undefined);
    if (unknown === undefined) continue;
    const problem = `no tool is named ${JSON.stringify(unknown)}${didYouMean(unknown, names)}`;
    throw new AppError(
      "config.invalid",
      `${describeOrigin(origin ?? { layer: "default" })}: tools.${key}: ${problem}`,
      {
        hint: "Try: capstan tools list",
      },
    );
  }
}

function programSources(tools: readonly ProgramTool[], outputBytes: number): readonly ToolSource[] {
  return tools.length === 0 ? [] : [programSource(tools, outputBytes)];
}

/** @param report  is notified, once, of damage that was made good */
export function openStore(data: DataDirectory, report?: (error: AppError) => void): Promise<SessionStore> {
  const { database: path, backups: backupDirectory } = data;
  const onRepaired = (names: readonly string[]): void => report?.(repaired(path, names));
  return openSqliteStore({ path, backupDirectory, onRepaired });
}

function repaired(path: string, names: readonly string[]): AppError {
  return new AppError("storage.corrupt", `${path}: ${names.join(", ")} had damaged pages, and was made again`, {
    hint: "No record is lost. Check the disk: `capstan doctor` says whether anything else is damaged.",
  });
}

/** Long command output lies outside the workspace, and the model is asked to read it there. */
export function withSpill(policy: Policy, { spill }: DataDirectory): Policy {
  const rules = ["read_file", "search"].map((tool): Rule => ({
    verdict: "allow",
    tool,
    path: `${spill}/**`,
    source: "built-in",
    text: `${tool}(${spill}/**)`,
  }));
  return { ...policy, rules: [...rules, ...policy.rules] };
}

/** Approvals that a user has remembered for good, in the directory they were given in. */
export function withGrants(policy: Policy, grants: readonly Grant[], { cwd }: Workspace): Policy {
  const rules = grants.flatMap(({ rule, scope, cwd: where }) =>
    scope === "always" && (where === undefined || where === cwd) ? [rule] : [],
  );
  return { ...policy, rules: [...policy.rules, ...rules] };
}

/** Names of headers and parameters that carry keys. */
const secretName = /auth|key|token|secret|cookie|password/i;

/** Takes out Capstan's own keys and the environment's secret values, besides whatever looks like a key. */
export function redactorOf({ env, loaded }: Pick<Settings, "env" | "loaded">): Redactor {
  const { api_keys: keys, providers, mcp_servers: servers, language_servers: languages } = loaded.values;
  const own = Object.values(providers).flatMap(({ api_key: key, headers, query }) => [
    ...(key === null ? [] : [key]),
    ...named(headers, query),
  ]);
  const ofServers = Object.values(servers).flatMap(({ headers, env: variables }) => named(headers, variables));
  const ofLanguages = Object.values(languages).flatMap(({ env: variables }) => named(variables));
  return createRedactor([...secretValues(env), ...Object.values(keys), ...own, ...ofServers, ...ofLanguages]);
}

/** The values of tables that have names of secrets. */
function named(...tables: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, value]) =>
      secretName.test(name) ? [value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, "")] : [],
    ),
  );
}

/** What files were before calls changed them. Capstan's own folder is no work of the model's. */
export function openCheckpoints(data: DataDirectory): Checkpoints {
  let made: Promise<Checkpoints> | undefined;
  // Its code loads with the first call that changes something.
  const get = (): Promise<Checkpoints> =>
    (made ??= import("@capstan/checkpoints").then(({ createCheckpoints }) =>
      createCheckpoints({ folder: data.checkpoints, excluded: [data.root], copies: `${data.root}-copies` }),
    ));
  return {
    keep: async (...args) => (await get()).keep(...args),
    since: async (...args) => (await get()).since(...args),
    apply: async (...args) => (await get()).apply(...args),
    foresee: async (...args) => (await get()).foresee(...args),
    describe: async (...args) => (await get()).describe(...args),
    propose: async (...args) => (await get()).propose(...args),
    copy: async (...args) => (await get()).copy(...args),
  };
}
