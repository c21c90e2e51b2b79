/** What the order of plugins depends on. */
interface Named {
  readonly name: string;
  readonly dependencies: readonly string[];
}

export interface PluginOrder<Plugin> {
  /** Each after those it depends on; otherwise as they came. */
  readonly ordered: readonly Plugin[];
  /** What cannot be initialized, and why. */
  readonly left: readonly { readonly plugin: Plugin; readonly problem: string }[];
}

/** The order in which plugins are initialized. One that depends on what is missing, or on itself, directly or through others, is left out, and so is what depends on it. */
export function orderPlugins<Plugin extends Named>(plugins: readonly Plugin[]): PluginOrder<Plugin> {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const problems = new Map<Plugin, string>();
  const ordered = new Set<Plugin>();
  const place = (plugin: Plugin, above: readonly Plugin[]): void => {
    if (ordered.has(plugin) || problems.has(plugin)) return;
    const path = [...above, plugin];
    for (const name of plugin.dependencies) {
      const needed = byName.get(name);
      if (needed !== undefined && !path.includes(needed)) place(needed, path);
      const problem = problemOf(name, needed, { path, problems });
      if (problem !== undefined) return void problems.set(plugin, problem);
    }
    ordered.add(plugin);
  };
  for (const plugin of plugins) place(plugin, []);
  return { ordered: [...ordered], left: [...problems].map(([plugin, problem]) => ({ plugin, problem })) };
}

function problemOf<Plugin extends Named>(
  name: string,
  needed: Plugin | undefined,
  { path, problems }: { readonly path: readonly Plugin[]; readonly problems: ReadonlyMap<Plugin, string> },
): string | undefined {
  if (needed === undefined) return `it depends on the plugin ${name}, which is not there`;
  const circle = path.slice(path.indexOf(needed)).map((plugin) => plugin.name);
  if (path.includes(needed)) return `it depends on itself: ${[...circle, needed.name].join(" → ")}`;
  return problems.has(needed) ? `it depends on the plugin ${name}, which is left out` : undefined;
}
