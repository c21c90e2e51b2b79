import type { HookRunner, Sandbox } from "@capstan/ports";
import {
  AppError,
  type FileProblem,
  type HookEntry,
  type Isolation,
  type NoticeRecord,
  type SessionId,
} from "@capstan/protocol";
import { protectedPatterns, type Settings } from "@capstan/settings";
import { withTrustedPath } from "@capstan/tools";
import { quietMs, settleMs } from "./limits.ts";
import type { LanguageServers } from "./language-servers.ts";
import { entries, ServerHooks } from "./server-hooks.ts";
import type { NamedServer } from "./server/named-server.ts";

interface Surroundings {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
}

/** The language servers of a workspace, as hooks that are asked after changes. */
export interface OpenedLanguageServers {
  readonly entries: readonly HookEntry[];
  readonly runner: HookRunner;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
  /** What they say of the files that a session changed; `null`: none was asked. */
  problems(id: SessionId): Promise<readonly FileProblem[] | null>;
  /** Ends every server. */
  end(): Promise<void>;
}

export interface Configured extends Pick<Settings, "env" | "loaded" | "workspace"> {
  readonly trust: Trusted;
}

/** Whether the user trusts the folder. */
interface Trusted {
  readonly trusted: boolean;
}

/**
 * Those that the user's configuration names. None is started, and nothing of them is loaded, before a file of theirs was changed.
 * @returns `null` where none is named
 * @throws AppError `config.invalid` for one that cannot be meant so
 */
export function openLanguageServers(settings: Configured, around: Surroundings): OpenedLanguageServers | null {
  const servers = namedLanguageServers(settings);
  if (servers.length === 0) return null;
  const problem = whyNone(settings, around.isolation);
  const hooks = new ServerHooks(() => loadLanguageServers(settings, around));
  return {
    entries: problem === null ? entries : [],
    runner: hooks,
    notices:
      problem === null
        ? []
        : [{ level: "info", code: "language-servers.off", text: `no language server is started: ${problem}` }],
    problems: (id) => hooks.problems(id),
    end: () => hooks.end(),
  };
}

/** Why none of them may start here; `null`: they may. */
export function whyNone({ trust }: Pick<Configured, "trust">, isolation: Isolation): string | null {
  if (isolation.type !== "enforced") return "they run in the sandbox only, and there is none. See `capstan doctor`";
  return trust.trusted ? null : "they start in trusted folders only. Trust this one: capstan trust add";
}

/** The servers themselves, with their code. */
export async function loadLanguageServers(
  settings: Configured,
  { sandbox }: Pick<Surroundings, "sandbox">,
): Promise<LanguageServers> {
  const [{ LanguageServers: Servers }, { workspaceReader }] = await Promise.all([
    import("./language-servers.ts"),
    import("@capstan/tools"),
  ]);
  const { workspace } = settings;
  const searchPath = searchPathOf(settings);
  return new Servers(namedLanguageServers(settings), {
    sandbox,
    workspace,
    searchPath,
    waits: { settleMs, quietMs },
    read: workspaceReader(workspace, protectedPatterns(settings.loaded.values)),
  });
}

/** Where programs are looked for: in no folder of the workspace. */
export function searchPathOf({ env, workspace }: Pick<Configured, "env" | "workspace">): string {
  return withTrustedPath({ PATH: env["PATH"] ?? "" }, workspace.roots)["PATH"] ?? "";
}

const msPerSecond = 1000;

/** @throws AppError `config.invalid` */
export function namedLanguageServers({ loaded }: Pick<Settings, "loaded">): readonly NamedServer[] {
  return Object.entries(loaded.values.language_servers).flatMap(([name, config]): readonly NamedServer[] => {
    if (!config.enabled) return [];
    const { command, args, env, extensions, language } = config;
    if (command === null) throw invalid(name, "command", "the program that is the server");
    const endings = extensions.map((ending) => ending.toLowerCase());
    if (endings.length === 0)
      throw invalid(name, "extensions", 'the endings of its files, for example [".ts", ".tsx"]');
    const wrong = endings.find((ending) => !/^\.[^/.]+$/.test(ending));
    if (wrong !== undefined)
      throw invalid(name, "extensions", `endings with their dot, and ${JSON.stringify(wrong)} is none`);
    return [
      {
        name,
        command,
        args,
        env,
        extensions: endings,
        language,
        startupTimeoutMs: config.startup_timeout * msPerSecond,
      },
    ];
  });
}

function invalid(name: string, key: string, expected: string): AppError {
  return new AppError("config.invalid", `language_servers.${name}.${key}: expected ${expected}`);
}
