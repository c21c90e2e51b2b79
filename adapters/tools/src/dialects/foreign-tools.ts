import { editorCommands } from "./editor-commands.ts";
import { fileMoves } from "./file-moves.ts";
import { claudeWriter, fileLister, wholeFileWriters } from "./file-tools.ts";
import type { ForeignTool } from "./foreign-tool.ts";
import { markedBlocks } from "./marked-blocks.ts";
import { shellCalls } from "./shell-calls.ts";

const all: readonly ForeignTool[] = [
  editorCommands,
  markedBlocks,
  ...fileMoves,
  shellCalls,
  wholeFileWriters,
  claudeWriter,
  fileLister,
];

/** Tools of other agents by their names in small letters. */
export const foreignTools: ReadonlyMap<string, ForeignTool> = new Map(
  all.flatMap((tool) => tool.names.map((name) => [name, tool] as const)),
);
