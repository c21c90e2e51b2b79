import type { Action, Rule } from "@capstan/protocol";
import { hiddenScript } from "../gatekeeper/commands/wrappers.ts";
import { lexForm } from "../gatekeeper/lex-form.ts";
import { maxPatternCharacters } from "../gatekeeper/limits.ts";

/**
 * The narrowest rule that would let exactly this action pass next time; `undefined` where none is offered: what was not
 * understood, what runs outside the sandbox or writes outside the workspace.
 */
export function grantOffer(action: Action): Rule | undefined {
  const { tool, command, paths } = action;
  if (command !== undefined) return commandOffer(action, command);
  if (action.effect !== "write" || paths.length !== 1) return undefined;
  const [use] = paths;
  if (use === undefined || !isLiteralPath(use.real)) return undefined;
  return grantRule({ tool, path: use.real }, use.real);
}

function commandOffer({ tool }: Action, { form, confinement, scripts }: NonNullable<Action["command"]>): Rule | undefined {
  if (confinement.type === "none" && confinement.asked !== undefined) return undefined;
  if (confinement.type === "sandbox" && confinement.writable.length > 0) return undefined;
  if (confinement.type === "sandbox" && confinement.hosts.length > 0) {
    const [host] = confinement.hosts;
    return host === undefined || confinement.hosts.length > 1 ? undefined : grantRule({ tool, host }, host);
  }
  const lexed = lexForm(form);
  if (lexed.type === "opaque" || lexed.commands.some((words) => hiddenScript(words) !== undefined)) return undefined;
  const [words = []] = lexed.commands;
  const pattern = lexed.commands.length === 1 ? exactPattern(words) : form.type === "script" ? form.script.trim() : undefined;
  if (pattern === undefined || pattern === "" || pattern.length > maxPatternCharacters) return undefined;
  return { ...grantRule({ tool, command: pattern }, pattern), scripts };
}

function grantRule(fields: Pick<Rule, "tool" | "command" | "path" | "host">, text: string): Rule {
  return { verdict: "allow", ...fields, source: "grant", text: `${fields.tool}(${text})` };
}

/** A pattern that covers these words and no others. */
function exactPattern(words: readonly string[]): string | undefined {
  const quoted = words.map((word) => {
    if (/^[A-Za-z0-9_@%+=,./-]+$/.test(word)) return word;
    if (!word.includes("'")) return `'${word}'`;
    return word.includes('"') ? undefined : `"${word}"`;
  });
  return quoted.every((word) => word !== undefined) ? quoted.join(" ") : undefined;
}

function isLiteralPath(path: string): boolean {
  return path.startsWith("/") && !/[*?[\]{}!\\]/.test(path);
}
