import { renamed, dropped } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const applyPatch: ToolEntry = {
  name: "apply_patch",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["edit", "write", "multi_edit", "patch"], pattern: "path", contents: "written" },
  aliases: ["ApplyPatch", "applypatch", "patch", "Patch", "apply_diff"],
  argumentAliases: [
    renamed("patch", ["input", "diff", "patch_text", "patchText", "patchContent", "content"]),
    dropped(["description", "explanation"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createApplyPatchTool(options, await paths()),
};

const definition: ToolText = {
  description: [
    "Edit text files by whole lines: many edits, many files, all or nothing.",
    "Read existing files first. The patch is in LP1 (not a unified diff):",
    "LP1",
    "F src/a.ts",
    "R",
    "old line",
    ".",
    "new line",
    ".",
    "F docs/new.md",
    "T",
    "# Title",
    ".",
    "N +",
    "END",
    'F path (in "" if it has spaces) starts a file. Then operations, applied in order, each a letter and its blocks of lines: R find, new: replace; ' +
      "I find, new: insert after; P find, new: insert before; E find: delete; T new: append to the file; B new: insert at its start; " +
      "N + or N - (no block): with or without final newline. Every block ends with a line `.`; a line of a block that begins with `.` is written with one dot more.",
    "find is whole lines, exact with indentation, without line numbers, and must occur once; else say which: `R 2`. New files take only T, B, N: end them with N +.",
    "The form `*** Begin Patch` is taken as well; it also deletes (`*** Delete File: p`) and moves (`*** Move to: q` below `*** Update File: p`).",
  ].join("\n"),
  inputSchema: {
    type: "object",
    properties: { patch: { type: "string", description: "The whole patch" } },
    required: ["patch"],
    additionalProperties: false,
  },
  offered: "not-plan",
};
