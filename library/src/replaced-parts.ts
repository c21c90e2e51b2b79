import type { EngineOptions } from "./engine-options.ts";
import type { PluginRegistrations } from "./plugins/plugin-context.ts";

/** What plugins registered under a name that the program's options have, too: the program's counts. */
export function replacedParts(
  { tools = [], compactors = {}, providers = {} }: EngineOptions,
  registered: PluginRegistrations,
): readonly string[] {
  const own =
    "subscribe" in tools ? tools.tools().map(({ definition }) => definition.name) : tools.map(({ name }) => name);
  const kinds = [
    { what: "tool", program: own, plugins: registered.tools },
    { what: "compactor", program: Object.keys(compactors), plugins: registered.compactors },
    { what: "provider", program: Object.keys(providers), plugins: registered.providers },
  ];
  return kinds.flatMap(({ what, program, plugins }) =>
    program
      .filter((name) => plugins.has(name))
      .map((name) => `the ${what} ${name} of a plugin is left out: the program has its own`),
  );
}
