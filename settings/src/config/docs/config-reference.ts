import type { ConfigKey } from "../keys/config-key.ts";
import { configKeys } from "../keys/config-keys.ts";
import { expectation } from "../check-value.ts";
import { tomlText } from "./toml-text.ts";

/** The reference page of all configuration keys, in Markdown. */
export function configReference(): string {
  const sections = new Map<string, string[]>();
  for (const [path, key] of Object.entries(configKeys)) {
    const shown = path.replaceAll("*", "NAME");
    const table = shown.includes(".") ? shown.slice(0, shown.lastIndexOf(".")) : shown;
    sections.set(table, [...(sections.get(table) ?? []), row(shown, key)]);
  }
  const tables = [...sections].map(([table, rows]) => [`## \`[${table}]\``, "", ...tableHead, ...rows].join("\n"));
  return `${[introduction, ...tables, presets].join("\n\n")}\n`;
}

const introduction = `# Configuration keys

Layers, the weakest first: defaults, the user's \`config.toml\` in the data directory (or the file of \`--config\`), the preset of \`--preset\`,
\`.capstan/config.toml\` of the project (each from the repository's root down to the working directory), environment variables, flags
(\`--set KEY=VALUE\` takes every key). The highest layer that sets a key wins; lists marked *adds up* are put together instead.

A project's file counts only where its user trusts it as it is (\`capstan trust add\`), and only when nobody else could have written it. It may only restrict: what the
column *project* says, and nothing else. What else it sets is ignored with a warning.

Strings of the user's file may hold \`\${NAME}\` and \`\${NAME:-default}\` (the default counts when the variable is unset or empty);
\`$\${\` is a plain \`\${\`. A project's file is taken literally.

A file of the user's that somebody else owns, or that group or others may write to, is ignored with a warning. Unknown keys and values that do not fit
stop the start, with file, line and key; \`--safe-mode\` starts without any file.`;

const presets = `## \`[presets.NAME]\`

Any of the keys above, as \`[presets.NAME.tools.output]\` and so on; \`--preset NAME\` puts them above the rest of the user's file.`;

const tableHead: readonly string[] = [
  "| key | accepts | default | project | variable | meaning |",
  "| --- | --- | --- | --- | --- | --- |",
];

function row(path: string, key: ConfigKey): string {
  const cells = [
    `\`${path}\``,
    accepts(key),
    key.default === null ? "–" : `\`${tomlText(key.default)}\``,
    project(key),
    (key.environment ?? []).map((name) => `\`${name}\``).join(", ") || "–",
    key.about,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function accepts(key: ConfigKey): string {
  const words = [expectation(key.type)];
  if (key.type.type === "choice") {
    words.push(...Object.entries(key.type.aliases).map(([alias, meaning]) => `${alias} means ${meaning}`));
  }
  if (key.joins === true) words.push("*adds up*");
  if (key.secret === "whole") words.push("never shown");
  return words.join("; ");
}

function project(key: ConfigKey): string {
  if (key.projectMayNarrow !== true) return "ignored";
  if (key.type.type === "rule-list") return "adds ask and deny";
  return key.joins === true ? "adds" : "lowers";
}
