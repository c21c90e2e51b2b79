import type { CommandEntry } from "./command-table.ts";
import { version } from "../version.ts";

/** `capstan manual`: the manual page, section 1, in roff. */
export function manualPage(table: readonly CommandEntry[]): string {
  const [program, ...commands] = table;
  if (program === undefined) throw new Error("a program without a command table");
  return [
    `.TH CAPSTAN 1 "" "capstan ${version}" "User Commands"`,
    ".SH NAME",
    "capstan \\- an agent engine: a language model does real work in a real workspace",
    ".SH SYNOPSIS",
    ".B capstan",
    escaped('"what to do"'),
    ".br",
    ".B capstan",
    "[\\fIoptions\\fR] \\fIcommand\\fR",
    ".SH DESCRIPTION",
    paragraph(program.description),
    ".SH OPTIONS",
    ...program.flags.flatMap(flagLines),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(([code, meaning]) => [".TP", `.B ${code}`, paragraph(meaning)]),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([names, meaning]) => [".TP", `.B ${escaped(names)}`, paragraph(meaning)]),
    ".SH FILES",
    ".TP",
    ".I ~/.capstan/config.toml",
    paragraph("the configuration; `capstan config init` writes a commented one"),
    ".TP",
    ".I ~/.capstan/capstan.db",
    paragraph("the sessions"),
    "",
  ].join("\n");
}

const exitCodes: readonly (readonly [string, string])[] = [
  ["0", "done"],
  ["1", "error"],
  ["2", "usage or configuration"],
  ["3", "a tool was denied"],
  ["4", "a limit was reached"],
  ["5", "the provider failed"],
  ["6", "the outcome of a tool is unknown"],
  ["7", "parked until somebody answers"],
  ["124, 130, 143", "timeout, interrupted, terminated"],
];

const environment: readonly (readonly [string, string])[] = [
  ["ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY", "keys of the providers"],
  ["CAPSTAN_HOME", "where Capstan keeps its data, in place of ~/.capstan"],
  ["NO_UPDATE_NOTIFIER, CI", "with either, nothing is said of newer versions, and nobody is asked for them"],
];

function commandLines({ path, description, words, flags, commands }: CommandEntry): readonly string[] {
  const usage = [
    ...words.map((word) => word.usage),
    ...(commands.length > 0 ? [flags.length > 1 ? "[command]" : "<command>"] : []),
  ];
  return [
    `.SS ${escaped(["capstan", ...path, ...usage].join(" "))}`,
    paragraph(description),
    ...words
      .filter((word) => word.description !== "")
      .flatMap((word) => [".TP", `.I ${escaped(word.usage)}`, paragraph(word.description)]),
    ...flags.filter(({ names }) => !names.includes("--help")).flatMap(flagLines),
  ];
}

function flagLines({ usage, description }: CommandEntry["flags"][number]): readonly string[] {
  return [".TP", `.B ${escaped(usage)}`, paragraph(description)];
}

function paragraph(text: string): string {
  return escaped(text.charAt(0).toUpperCase() + text.slice(1));
}

/** A backslash and a leading dot or quote mean something to roff, and a plain `-` is set as a hyphen, which cannot be pasted. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
