import { existsSync } from "node:fs";
import { didYouMean } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import type { CustomCommand } from "./custom-command.ts";
import { scriptLine } from "./script-command.ts";
import { type CommandPlaces, commandsFolder, findCustomCommands } from "./find-custom-commands.ts";

/** A prompt as it is meant. */
export interface MeantPrompt {
  readonly text: string;
  /** Whether files that it names with `@` are attached to it: never those that a repository names. */
  readonly mayAttach: boolean;
}

/** A command of the user's own that a prompt names, as a line for the shell. */
export interface MeantCommand {
  readonly script: string;
}

/**
 * The same where a script can be run, too.
 * @throws {AppError} `usage.invalid`
 */
export function meantBy(prompt: string, places: CommandPlaces): MeantPrompt | MeantCommand {
  const [, name, given = ""] = namedIn(prompt);
  const command = findCustomCommands(places).find((candidate) => candidate.name === name);
  if (command?.interpreter === undefined) return expandPrompt(prompt, places);
  return { script: scriptLine(command, argumentsOf(given.trim()), given.trim()) };
}

function namedIn(prompt: string): readonly (string | undefined)[] {
  return /^\/([A-Za-z][\w.:-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
}

/**
 * What a prompt says that begins with `/name`: the command of that name with the arguments in their places. Everything
 * else is said as it is, paths (`/usr/bin/x fails`, `/tmp is full`) and sentences (`/healthz answers 404`) among it.
 * @throws {AppError} `usage.invalid` for a name that is no command
 */
export function expandPrompt(prompt: string, places: CommandPlaces): MeantPrompt {
  const asTyped = { text: prompt, mayAttach: true };
  const [, name, given = ""] = namedIn(prompt);
  if (name === undefined) return asTyped;
  const known = findCustomCommands(places);
  const command = known.find((candidate) => candidate.name === name);
  // A server's prompt: whoever has the server reads it.
  if (command === undefined && /^mcp__.+__./.test(name)) return asTyped;
  if (command?.interpreter !== undefined)
    throw new AppError("usage.invalid", `/${name} is a script, and is not run from here`, {
      hint: "The terminal UI and `capstan run` run it.",
    });
  if (command !== undefined) return { text: bodyWith(command, given.trim()), mayAttach: command.from !== "workspace" };
  const names = known.map((candidate) => `/${candidate.name}`);
  // `/healthz answers 404` is a sentence; a name alone, or one that is nearly a command's, was meant as a command.
  const isSentence = given !== "" && didYouMean(`/${name}`, names) === "";
  if (isSentence || existsSync(`/${name}`)) return asTyped;
  throw unknownCommand(`/${name}`, known, places);
}

/** @throws {AppError} `usage.invalid` */
export function customCommandNamed(name: string, places: CommandPlaces): CustomCommand {
  const known = findCustomCommands(places);
  const bare = name.replace(/^\//, "");
  const command = known.find((candidate) => candidate.name === bare);
  if (command === undefined) throw unknownCommand(`/${bare}`, known, places);
  return command;
}

function unknownCommand(name: string, known: readonly CustomCommand[], places: CommandPlaces): AppError {
  const names = known.map((command) => `/${command.name}`);
  return new AppError("usage.invalid", `there is no command ${name}${didYouMean(name, names)}`, {
    hint: `Commands of yours are Markdown files in ${commandsFolder(places.home)}; \`capstan commands list\` names them.${untrustedCommands(places)} Words that only begin so take a blank before the slash.`,
  });
}

/** A sentence about the commands that a folder brings along without being trusted. */
export function untrustedCommands({ trust }: CommandPlaces): string {
  const isBrought = trust.ignored.some((place) => place.class === "commands");
  return isBrought ? " This folder brings commands along; they count once you trust it: `capstan trust add`." : "";
}

/**
 * In one pass, so that what stands in an argument is never a place for another, and no line to run. Lines to run (!`…`) are named to the model,
 * which calls for them like for every command: the gatekeeper judges them, and the journal has them.
 */
function bodyWith({ body }: CustomCommand, given: string): string {
  const words = argumentsOf(given);
  const lines: string[] = [];
  let isPlaced = false;
  const withArguments = (text: string): string =>
    text.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_, position: string | undefined) => {
      isPlaced = true;
      return position === undefined ? given : (words[Number(position) - 1] ?? "");
    });
  const pieces = body.split(/((?<=^|\s)!`[^`\n]+`)/);
  const text = pieces
    .map((piece) => {
      if (!/^!`[^`\n]+`$/.test(piece)) return withArguments(piece);
      const line = withArguments(piece.slice(2, -1)).trim();
      if (!lines.includes(line)) lines.push(line);
      return `[output of command ${lines.indexOf(line) + 1}]`;
    })
    .join("");
  const whole = isPlaced || given === "" ? text : `${text}\n\n${given}`;
  return lines.length === 0 ? whole : `${linesToRun(lines)}\n\n${whole}`;
}

function linesToRun(lines: readonly string[]): string {
  return [
    "Run each of these commands first, exactly as it is written. What it writes belongs where its number stands below.",
    ...lines.map((line, index) => `${index + 1}. ${line}`),
  ].join("\n");
}

/** Words as a shell divides them, as far as quotes go. */
function argumentsOf(given: string): readonly string[] {
  return Array.from(
    given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
