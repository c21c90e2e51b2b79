import type { Judgement, NestedCommand } from "@capstan/protocol";
import type { LexedScript } from "../commands/lexer.ts";
import { inertText, quoteCommand } from "../quote-for-people.ts";
import type { CommandRules } from "../rules/command-rules.ts";
import { commandSubject, type RestrictedSubject } from "../rules/rules-on-commands.ts";

/**
 * The first judgement that a restricting rule makes of a command inside the command: in a substitution, behind `sudo`, in a
 * function. What was found there only ever denies or asks; it allows nothing.
 * @param restriction  `denialOf` or `questionOf`
 */
export function judgeNested(
  nested: readonly NestedCommand[],
  lexed: LexedScript,
  rules: CommandRules,
  restriction: (subject: RestrictedSubject, rules: CommandRules) => Judgement | undefined,
): Judgement | undefined {
  for (const command of nested) {
    // The commands of a script that was understood are judged by themselves.
    if (lexed.type === "plain" && command.via === undefined) continue;
    const quoted = `${quoteCommand(command.words)}${reach(command.via)}`;
    const judgement = restriction({ ...commandSubject(command.words, rules, false), quoted }, rules);
    if (judgement !== undefined) return judgement;
  }
  return undefined;
}

function reach(via: string | undefined): string {
  switch (via) {
    case undefined:
      return "";
    case "substitution":
      return " (inside `$(…)`)";
    case "process substitution":
      return " (inside `<(…)`)";
    case "function":
      return " (inside a function)";
    default:
      return ` (run by \`${inertText(via)}\`)`;
  }
}
