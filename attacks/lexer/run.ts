/**
 * `npm run attacks:lexer`: generated scripts, and what real shells see in those that the strict lexer accepts. Flags in
 * `options.ts`. Exit code 1 on any disagreement; each is printed, made as short as it goes. The same seed tries the same.
 */
import { lexScript } from "../../core/policy/src/commands/lexer.ts";
import { allDialects } from "./dialects.ts";
import { type DialectReport, fuzzLexer } from "./fuzz.ts";
import { shownDisagreements } from "./limits.ts";
import { readOptions } from "./options.ts";
import { disagreementText, reportText } from "./report-text.ts";
import { shrinkScript } from "./shrink-script.ts";

const { count, seed, wrong } = readOptions(process.argv.slice(2));
const lexer = wrong?.lexer ?? lexScript;
const dialects = allDialects();
const started = Date.now();
print(`seed ${seed}${wrong === undefined ? "" : `, with the lexer that errs at: ${wrong.name}`}`);
for (const { name, file } of dialects) if (file === undefined) print(`${name} is NOT RUN: it is not installed`);

const report = await fuzzLexer({
  count,
  seed,
  lexer,
  dialects: dialects.filter(({ file }) => file !== undefined),
  onProgress: (tried) => process.stderr.isTTY && process.stderr.write(`\r${tried} of ${count}`),
});
print(`${reportText(report)}\n${((Date.now() - started) / 1000).toFixed(0)} s`);
for (const part of report.dialects) await show(part);
process.exitCode =
  report.dialects.length === 0 || report.dialects.some((part) => part.disagreements.length > 0) ? 1 : 0;

async function show({ dialect, disagreements }: DialectReport): Promise<void> {
  const shortest = disagreements.toSorted((a, b) => a.script.length - b.script.length).slice(0, shownDisagreements);
  const shown = new Set<string>();
  for (const found of shortest) shown.add(disagreementText(dialect.name, await shrinkScript(found, lexer, dialect)));
  for (const text of shown) print(text);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
