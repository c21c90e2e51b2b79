import { isMatchOperation, type Operation, operationLetters, type Patch } from "../../src/lp1/patch.ts";

/** Writes a patch as LP1 text, one statement after the other; the inverse of parsing. */
export function printPatch(patch: Patch): string {
  const sections = patch.sections.flatMap(({ path, operations }) => [
    `F ${JSON.stringify(path)}`,
    ...operations.flatMap(printOperation),
  ]);
  return ["LP1", ...sections, "END", ""].join("\n");
}

function printOperation(operation: Operation): readonly string[] {
  const letter = operationLetters[operation.type];
  if (operation.type === "final-newline") return [`${letter} ${operation.present ? "+" : "-"}`];
  if (!isMatchOperation(operation)) return [letter, ...printBlock(operation.block)];
  const head = operation.occurrence === null ? letter : `${letter} ${operation.occurrence}`;
  const blocks = operation.type === "erase" ? [operation.find] : [operation.find, operation.block];
  return [head, ...blocks.flatMap(printBlock)];
}

function printBlock(block: readonly string[]): readonly string[] {
  return [...block.map((line) => (line.startsWith(".") ? `.${line}` : line)), "."];
}
