import { type CommandForm, unreachable } from "@capstan/protocol";
import { isPrintableAscii, type LexedScript, lexScript } from "./commands/lexer.ts";

/** The commands of a form, where they are certain. */
export function lexForm(form: CommandForm): LexedScript {
  switch (form.type) {
    case "script": {
      const shell = form.shell.slice(form.shell.lastIndexOf("/") + 1);
      return knownShells.has(shell) ? lexScript(form.script) : { type: "opaque", why: "the language of another shell" };
    }
    case "argv":
      return lexArgv(form.argv);
    default:
      return unreachable(form);
  }
}

// Shells that read what the lexer accepts as the lexer does.
const knownShells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh"]);

/** No shell reads an argument vector, so line breaks and tabs in arguments are only text. */
function lexArgv(argv: readonly string[]): LexedScript {
  const [program = ""] = argv;
  if (program === "") return { type: "opaque", why: "no program" };
  const isReadable = isPrintableAscii(program) && argv.every((word) => isPrintableAscii(word.replace(/[\n\t]/g, "")));
  return isReadable
    ? { type: "plain", commands: [argv] }
    : { type: "opaque", why: "characters that are not printable ASCII" };
}
