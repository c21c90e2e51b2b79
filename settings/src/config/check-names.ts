import { placeOf } from "./config-origin.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { CapstanConfig } from "./keys/capstan-config.ts";
import type { SettledKey } from "./layer-stack.ts";

/** What can be judged only when all layers are read: names that lead to another table, and tables that lack what they are for. */
export function nameProblems(config: CapstanConfig, keys: ReadonlyMap<string, SettledKey>): readonly ConfigProblem[] {
  const { context, templates } = config;
  const has = (name: string): boolean => Object.hasOwn(templates, name);
  const problem = (path: string, text: string): ConfigProblem => ({
    code: "config.invalid",
    text: `${startOf(keys, path)}${path}: ${text}`,
  });
  return [
    ...context.templates.filter((name) => !has(name)).map((name) => problem("context.templates", noTable(name))),
    ...Object.entries(templates)
      .filter(([, { text, file }]) => text === null && file === null)
      .map(([name]) => problem(`templates.${name}`, "expected text or file")),
    ...Object.entries(templates).flatMap(([name, { layout }]) =>
      layout === null || has(layout) ? [] : [problem(`templates.${name}.layout`, noTable(layout))],
    ),
  ];
}

function noTable(template: string): string {
  return `there is no template ${JSON.stringify(template)}: a table [templates.${JSON.stringify(template)}] with text or file makes one`;
}

/** Where the key, or else one of its table, was set. */
function startOf(keys: ReadonlyMap<string, SettledKey>, path: string): string {
  const origins = [...keys].flatMap(([key, { layers }]) =>
    key === path || key.startsWith(`${path}.`) ? (layers.at(-1)?.origin ?? []) : [],
  );
  const origin = origins.find(({ layer }) => layer !== "default");
  return origin === undefined ? "" : `${placeOf(origin)}: `;
}
