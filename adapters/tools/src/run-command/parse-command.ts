import { type CommandForm, type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { backgroundMs } from "../background/limits.ts";
import type { ToolsOptions } from "../options.ts";

/** What a call asks for, checked. */
export interface ParsedCommand {
  readonly form: CommandForm;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** It is started, and not waited for. */
  readonly isBackground: boolean;
}

/** @throws {ToolRefusal} `tool.bad-arguments`, which names the argument and how to fix it */
export function parseCommand(args: JsonObject, timeouts: ToolsOptions["timeouts"], shell: string): ParsedCommand {
  const cwd = args["cwd"] ?? ".";
  if (typeof cwd !== "string") throw bad("cwd must be a path.");
  const isBackground = args["background"] === true;
  const timeoutMs = isBackground && args["timeout_seconds"] === undefined ? backgroundMs : parseTimeout(args, timeouts);
  return { form: parseForm(args["argv"], args["command"], shell), cwd, timeoutMs, isBackground };
}

function parseForm(argv: JsonValue | undefined, script: JsonValue | undefined, shell: string): CommandForm {
  if ((argv === undefined) === (script === undefined)) {
    throw bad('Give exactly one of argv (such as ["npm", "test"]) and command (a shell script).');
  }
  if (script !== undefined) return parseScript(script, shell);
  if (!isTextList(argv) || argv[0] === undefined || argv[0] === "") {
    throw bad('argv must be a list of strings that begins with a program, such as ["npm", "test"].');
  }
  argv.forEach((word, index) => checkText(word, `argv[${index}]`));
  return { type: "argv", argv };
}

function parseScript(script: JsonValue, shell: string): CommandForm {
  if (typeof script !== "string" || script.trim() === "") throw bad("command must be a shell script, not empty.");
  checkText(script, "command");
  return { type: "script", script, shell };
}

function parseTimeout(args: JsonObject, timeouts: ToolsOptions["timeouts"]): number {
  const seconds = args["timeout_seconds"] ?? timeouts.commandMs / 1000;
  const maximum = timeouts.maxCommandMs / 1000;
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= maximum)) {
    throw bad(`timeout_seconds must be a number above 0, at most ${maximum}.`);
  }
  return Math.ceil(seconds * 1000);
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** What the system cannot be handed unchanged must not be run changed. */
function checkText(text: string, name: string): void {
  if (text.includes("\0")) throw bad(`${name} must not hold a NUL character.`);
  if (/\p{Cs}/u.test(text)) throw bad(`${name} holds half of a surrogate pair, which no program can be given.`);
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
