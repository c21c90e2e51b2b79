import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../markdown-table.ts";
import { type Exported, passedOn, readExports } from "./read-exports.ts";

/** Packages whose types programs implement or are handed: they are described here; those of others have a page of their own, or are named. */
const described: readonly string[] = ["@capstan/ports", "@capstan/catalog"];

/** `docs/reference/library.md`: what the package `capstan` exports, from its sources. */
export function libraryPage(root: string): string {
  const lines = passedOn(readFileSync(join(root, "library", "src", "index.ts"), "utf8"));
  const own = readExports(root, ["@capstan/library"]);
  const others = readExports(root, described);
  const sections = lines.flatMap(({ from, names }) => {
    const known = from.startsWith("./") ? own : others;
    return names.flatMap((name) => section(known.get(name)));
  });
  const rest = lines
    .filter(({ from }) => !from.startsWith("./"))
    .flatMap(({ names }) => names.filter((name) => !others.has(name)));
  return `# The library

<!-- Written by \`npm run docs\` from \`library/src\`. -->

What \`import { … } from "capstan"\` has. How to begin: [embedding.md](../embedding.md).

${sections.join("\n\n")}

## From the protocol

Types of what is journaled, sent and answered; their fields: [json-events.md](json-events.md), [operations.md](operations.md).

${rest.map((name) => `\`${name}\``).join(", ")}
`;
}

function section(exported: Exported | undefined): readonly string[] {
  if (exported === undefined) return [];
  const { name, about, text, members } = exported;
  const head = [`## ${name}`, ...(about === "" ? [] : [about])];
  if (members.length === 0) return [[...head, `\`\`\`ts\n${text}\n\`\`\``].join("\n\n")];
  const rows = members.map((member) => [`\`${member.signature}\``, member.about]);
  return [[...head, markdownTable(["member", "meaning"], rows)].join("\n\n")];
}
