import { type FoundHook, namedHooks, type Settings } from "@capstan/host";
import { unreachable } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";

const msPerSecond = 1000;

/** `capstan hooks list`. */
export async function listHooks({ json = false }: { readonly json?: boolean }): Promise<number> {
  const settings = await settingsFromFlags({});
  const { hooks, problems } = await namedHooks(settings);
  for (const { file, text } of problems) process.stderr.write(`capstan: ${inertText(`${file}: ${text}`)}\n`);
  for (const hook of hooks) process.stdout.write(`${inertText(json ? jsonOf(hook) : lineOf(hook))}\n`);
  if (hooks.length === 0 && !json) process.stderr.write(`${none(settings)}\n`);
  return 0;
}

function lineOf(hook: FoundHook): string {
  const { entry, timeoutMs, inactive } = hook;
  const about = entry.matcher === "" ? "" : `(${entry.matcher})`;
  const state = inactive === undefined ? "" : `\n  not run: ${inactive}`;
  return `${entry.event}${about}  ${workOf(hook)}  [${entry.name}, ${timeoutMs / msPerSecond} s]${state}`;
}

function jsonOf(hook: FoundHook): string {
  const { entry, timeoutMs, file, inactive } = hook;
  const { event, matcher, name, by, id } = entry;
  const state = inactive === undefined ? { active: true } : { active: false, why: inactive };
  return JSON.stringify({
    event,
    matcher,
    name,
    by,
    id,
    runs: workOf(hook),
    file,
    timeout: timeoutMs / msPerSecond,
    ...state,
  });
}

/** Headers may hold keys, and are left out. */
function workOf({ work }: FoundHook): string {
  switch (work.type) {
    case "shell":
      return work.script;
    case "program":
      return work.argv.join(" ");
    case "http":
      return work.url;
    case "function":
      return "(a function of the program)";
    default:
      return unreachable(work);
  }
}

function none({ trust }: Settings): string {
  const brought = trust.ignored.some((place) => place.class === "hooks");
  const hint = brought ? " This folder brings hooks along; they count once you trust it: capstan trust add" : "";
  return `There are no hooks: none in [[hooks.EVENT]] of your configuration.${hint}`;
}
