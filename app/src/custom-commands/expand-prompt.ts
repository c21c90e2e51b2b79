import { existsSync } from "node:fs";
import { didYouMean } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import type { CustomCommand } from "./custom-command.ts";
import { commandsFolder, findCustomCommands } from "./find-custom-commands.ts";

/**
 * What a prompt says that begins with `/name`: the user's command of that name with the arguments in their places. Everything
 * else is said as it is, paths (`/usr/bin/x fails`, `/tmp is full`) and sentences (`/healthz answers 404`) among it.
 * @param home  Capstan's own directory (`settings.home`)
 * @throws {AppError} `usage.invalid` for a name that is no command, and for a command that runs lines of its own
 */
export function expandPrompt(prompt: string, home: string): string {
  const [, name, given = ""] = /^\/([A-Za-z][\w.:-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  if (name === undefined) return prompt;
  const known = findCustomCommands(home);
  const command = known.find((candidate) => candidate.name === name);
  if (command !== undefined) return bodyWith(command, given.trim());
  const names = known.map((candidate) => `/${candidate.name}`);
  // `/healthz answers 404` is a sentence; a name alone, or one that is nearly a command's, was meant as a command.
  const isSentence = given !== "" && didYouMean(`/${name}`, names) === "";
  if (isSentence || existsSync(`/${name}`)) return prompt;
  throw unknownCommand(`/${name}`, known, home);
}

/** @throws {AppError} `usage.invalid` */
export function customCommandNamed(name: string, home: string): CustomCommand {
  const known = findCustomCommands(home);
  const bare = name.replace(/^\//, "");
  const command = known.find((candidate) => candidate.name === bare);
  if (command === undefined) throw unknownCommand(`/${bare}`, known, home);
  return command;
}

function unknownCommand(name: string, known: readonly CustomCommand[], home: string): AppError {
  const names = known.map((command) => `/${command.name}`);
  return new AppError("usage.invalid", `there is no command ${name}${didYouMean(name, names)}`, {
    hint: `Commands are Markdown files in ${commandsFolder(home)}; \`capstan commands list\` names them. Words that only begin so take a blank before the slash.`,
  });
}

/** In one pass, so that what stands in an argument is never a place for another. */
function bodyWith({ name, body, file }: CustomCommand, given: string): string {
  if (/(?:^|\s)!`[^`\n]+`/.test(body))
    throw new AppError("usage.invalid", `/${name} has a line to run (!\`…\`), and commands run none`, {
      hint: `In ${file}, ask the model in words to run it: then your rules judge it.`,
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
