import type { HookRunner, ProgramHook, Sandbox } from "@capstan/ports";
import type { HookEntry, Isolation } from "@capstan/protocol";
import { commandEnvironment, withTrustedPath } from "@capstan/tools";
import { type HookPlaces, trustedFiles } from "./find/hook-places.ts";
import type { FoundHooks, HookNotice } from "./found-hook.ts";

/** The hooks of one workspace. */
export interface OpenedHooks {
  /** Those that are run, in their order. */
  readonly entries: readonly HookEntry[];
  readonly runner: HookRunner;
  readonly notices: readonly HookNotice[];
}

export interface HookSurroundings {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
  /** What the user's commands see of theirs. */
  readonly environment: Readonly<Record<string, string>>;
  readonly roots: readonly string[];
  /** Of the program that embeds the engine; they run between the user's and those of the workspace. */
  readonly ofProgram?: readonly ProgramHook[];
}

/**
 * The hooks of the user, of the program and of a trusted workspace; their code is loaded where there are any.
 * @returns `null` where there is none
 * @throws AppError `config.invalid` for one of the user's that cannot be meant so, `usage.invalid` for one of the program's
 */
export async function openHooks(places: HookPlaces, around: HookSurroundings): Promise<OpenedHooks | null> {
  const own = Object.values(places.loaded.values.hooks).some((tables) => tables.length > 0);
  const { ofProgram = [] } = around;
  if (!own && ofProgram.length === 0 && trustedFiles(places).length === 0) return null;
  const { hooks, problems } = await findHooks(places, around.isolation, ofProgram);
  if (hooks.length === 0 && problems.length === 0) return null;
  const active = hooks.filter(({ inactive }) => inactive === undefined);
  const environment = withTrustedPath(commandEnvironment(around.environment, { type: "none" }), around.roots);
  const shell = places.loaded.values.tools.shell.path ?? undefined;
  let runs: HookRunner | undefined;
  return {
    entries: active.map(({ entry }) => entry),
    runner: {
      async run(request, signal) {
        const { HookRuns, ProgramRunner } = await import("./run/index.ts");
        runs ??= new HookRuns(active, { runner: new ProgramRunner(), sandbox: around.sandbox, environment, shell });
        return await runs.run(request, signal);
      },
    },
    notices: [
      ...problems.map(({ file, text }) => leftOut(`${file}: ${text}`)),
      ...hooks.flatMap(({ entry, inactive }) =>
        inactive === undefined ? [] : [leftOut(`${entry.name}: ${inactive}`)],
      ),
    ],
  };
}

/** Every hook that is named, those that are not run among them. */
export async function findHooks(
  places: HookPlaces,
  isolation: Isolation,
  ofProgram: readonly ProgramHook[] = [],
): Promise<FoundHooks> {
  const found = await import("./find/find-hooks.ts");
  return await found.findHooks(places, isolation, ofProgram);
}

function leftOut(text: string): HookNotice {
  return { level: "warning", code: "hook.left-out", text: `a hook is left out: ${text}` };
}
