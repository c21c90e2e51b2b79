import { callOf, type ForeignTool, textUnder } from "./foreign-tool.ts";

/** Writers that overwrite without a word about it. What is overwritten must have been read, as ever. */
export const wholeFileWriters: ForeignTool = {
  names: ["write_to_file", "writetofile"],
  convert: (args) => callOf("write_file", { overwrite: true, ...args }),
};

/** Claude's writer; ours, in small letters, asks for `overwrite`. */
export const claudeWriter: ForeignTool = {
  names: ["write"],
  convert: (args, name) => (name === "Write" ? callOf("write_file", { overwrite: true, ...args }) : undefined),
};

/** One name for listing a directory and for finding names. */
export const fileLister: ForeignTool = {
  names: ["list_files", "listfiles"],
  convert: (args) =>
    textUnder(args, ["pattern", "glob", "glob_pattern"]) === undefined ? undefined : callOf("glob", args),
};
