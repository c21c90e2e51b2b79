import { existsSync } from "node:fs";
import { didYouMean } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import type { CustomCommand } from "./custom-command.ts";
import { type CommandPlaces, commandsFolder, findCustomCommands } from "./find-custom-commands.ts";

/** A prompt as it is meant. */
export interface MeantPrompt {
  readonly text: string;
  /** Whether files that it names with `@` are attached to it: never those that a repository names. */
  readonly mayAttach: boolean;
}

/**
 * What a prompt says that begins with `/name`: the command of that name with the arguments in their places. Everything
 * else is said as it is, paths (`/usr/bin/x fails`, `/tmp is full`) and sentences (`/healthz answers 404`) among it.
 * @throws {AppError} `usage.invalid` for a name that is no command, and for a command that runs lines of its own
 */
export function expandPrompt(prompt: string, places: CommandPlaces): MeantPrompt {
  const asTyped = { text: prompt, mayAttach: true };
  const [, name, given = ""] = /^\/([A-Za-z][\w.:-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  if (name === undefined) return asTyped;
  const known = findCustomCommands(places);
  const command = known.find((candidate) => candidate.name === name);
  // A server's prompt: whoever has the server reads it.
  if (command === undefined && /^mcp__.+__./.test(name)) return asTyped;
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

/** In one pass, so that what stands in an argument is never a place for another. */
function bodyWith({ name, body, file }: CustomCommand, given: string): string {
  if (/(?:^|\s)!`[^`\n]+`/.test(body))
    throw new AppError("usage.invalid", `/${name} has a line to run (!\`…\`), and commands run none`, {
      hint: `In ${file ?? `/${name}`}, ask the model in words to run it: then your rules judge it.`,
    });
  const words = argumentsOf(given);
  let isPlaced = false;
  const text = body.replaceAll(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_, position: string | undefined) => {
    isPlaced = true;
    return position === undefined ? given : (words[Number(position) - 1] ?? "");
  });
  return isPlaced || given === "" ? text : `${text}\n\n${given}`;
}

/** Words as a shell divides them, as far as quotes go. */
function argumentsOf(given: string): readonly string[] {
  return Array.from(
    given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
