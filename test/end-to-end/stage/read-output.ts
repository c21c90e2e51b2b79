import type { Run } from "./run-capstan.ts";

export type OutputObject = Readonly<Record<string, unknown>>;

/** The result object of a run in a JSON format: the last line of stdout, and in `json` the only one. */
export function parseResult(run: Run): OutputObject {
  const result = parseLine(run.lines.at(-1) ?? "");
  if (result["type"] !== "result") throw new Error(`no result at the end of stdout; stderr: ${run.stderr}`);
  return result;
}

/** Every line of stdout as an object; anything else on stdout fails the test. */
export function parseLines(run: Run): readonly OutputObject[] {
  return run.lines.map((line) => parseLine(line));
}

/** The lines of one record type. */
export function linesOf(run: Run, type: string): readonly OutputObject[] {
  return parseLines(run).filter((line) => line["type"] === type);
}

function parseLine(line: string): OutputObject {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null) throw new Error(`not an object: ${line}`);
  return { ...value };
}
