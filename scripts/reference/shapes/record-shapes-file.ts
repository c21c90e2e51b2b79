import { readShapes } from "./read-shapes.ts";

/** Where records are checked when they are read. */
export const recordShapesPath = "core/protocol/src/versions/record-shapes.ts";

/** The source file that says what a stored record must look like, made from the types of records. */
export function recordShapesFile(root: string): string {
  const shapes = [...readShapes(root, "core/protocol/src", ["JournalRecord"])].map(([name, shape]) =>
    entry(name, `'${JSON.stringify(shape)}'`),
  );
  return `/**
 * What is read of a journal, in today's versions, as JSON that is parsed when it is first asked for (\`fits-shape.ts\` says what it
 * means). Written by \`npm run docs\` from the types in \`core/protocol/src\`.
 */
export const recordShapes = {
${shapes.join("")}} as const;
`;
}

function entry(name: string, text: string): string {
  const line = `  ${name}: ${text},\n`;
  return line.length <= lineCharacters || name.length < shortName ? line : `  ${name}:\n    ${text},\n`;
}

/** Longer ones the formatter breaks, unless the name is short; the line's end counts. */
const lineCharacters = 121;
const shortName = 5;
