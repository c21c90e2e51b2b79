/**
 * `npm run catalog`: writes the built-in model catalog, `catalog/src/data/`, from a published one (facts only: ids, sizes,
 * prices) and the corrections kept by hand. The published one is fetched by npm into a folder of its own and never becomes a
 * dependency. Says which ids of the SDKs' types the catalog does not know.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { corrections } from "./catalog/corrections.ts";
import { mergeRows } from "./catalog/merge-rows.ts";
import { type ModelRow, toCatalogModel } from "./catalog/model-row.ts";
import { type PublishedCatalog, publishedRows } from "./catalog/published-models.ts";
import { modelSection } from "../catalog/src/model-table.ts";

/** MIT. */
const publishedPackage = "@mariozechner/pi-ai@0.73.1";
const makers = ["anthropic", "openai", "google", "xai", "deepseek", "mistral", "moonshotai", "zai", "minimax"];
const gateways = ["groq", "cerebras", "openrouter"];

const root = join(import.meta.dirname, "..");
const catalog = await fetchPublished();
const rowsOf = (vendor: string): readonly ModelRow[] =>
  mergeRows(publishedRows(catalog, vendor), corrections[vendor] ?? []);

writeData("maker-models.json", makers);
writeData("gateway-models.json", gateways);
for (const id of unknownIds()) process.stdout.write(`not in the catalog: ${id}\n`);

async function fetchPublished(): Promise<PublishedCatalog> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-catalog-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    execFileSync("npm", ["install", ...flags, publishedPackage], { cwd: folder, stdio: "inherit" });
    const file = join(folder, "node_modules", "@mariozechner", "pi-ai", "dist", "models.generated.js");
    const published: { readonly MODELS: PublishedCatalog } = await import(pathToFileURL(file).href);
    return published.MODELS;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A model a line, so that a difference can be read. */
function writeData(file: string, vendors: readonly string[]): void {
  const sections = vendors.map((vendor) => {
    const models = Object.entries(modelSection(rowsOf(vendor).map(toCatalogModel)));
    process.stdout.write(`${vendor}: ${models.length} models\n`);
    const lines = models.map(([id, facts]) => `    ${JSON.stringify(id)}: ${JSON.stringify(facts)}`);
    return `  ${JSON.stringify(vendor)}: {\n${lines.join(",\n")}\n  }`;
  });
  writeFileSync(join(root, "catalog", "src", "data", file), `{\n${sections.join(",\n")}\n}\n`);
}

/** Ids in the types of the SDKs of which the catalog has no beginning. */
function unknownIds(): readonly string[] {
  const modules = join(root, "node_modules");
  const types: readonly (readonly [vendor: string, file: string, type: RegExp])[] = [
    [
      "anthropic",
      join("@anthropic-ai", "sdk", "resources", "messages", "messages.d.ts"),
      /^export type Model = (.*);$/m,
    ],
    ["openai", join("openai", "resources", "shared.d.ts"), /^export type ChatModel = (.*);$/m],
  ];
  return types.flatMap(([vendor, file, type]) => {
    const known = rowsOf(vendor).map(({ id }) => id);
    const named = type.exec(readFileSync(join(modules, file), "utf8"))?.[1] ?? "";
    const ids = [...named.matchAll(/'([^']+)'/g)].map(([, id = ""]) => id);
    return ids.filter((id) => !known.some((prefix) => id === prefix || id.startsWith(`${prefix}-`)));
  });
}
