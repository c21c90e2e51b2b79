import {
  type CommandForm,
  type CommandUse,
  type NetworkUse,
  type Remembered,
  type Rule,
  unreadScript,
} from "@capstan/protocol";
import { commandFamily } from "./commands/family.ts";
import { hiddenScript } from "./commands/wrappers.ts";
import { lexForm } from "./lex-form.ts";
import type { JudgedAction } from "./situation.ts";
import { maxPatternCharacters } from "./limits.ts";
import { opensHost } from "./rules/host-pattern.ts";

/**
 * The narrowest rule that would let exactly this action pass next time; `undefined` where none is offered: what was not
 * understood, what runs outside the sandbox or writes outside the workspace.
 * @param open  hosts that the user opened for every command: nothing is asked for them
 * @param home  the workspace's folder: a rule names a program there, so what starts elsewhere is not remembered
 */
export function grantOffer(action: JudgedAction, open: readonly string[], home: string): Rule | undefined {
  const { tool, command, paths } = action;
  if (command !== undefined) return commandOffer(action, command, { open, home });
  if (action.network !== undefined) return hostOffer(tool, action.network);
  if (action.effect !== "write" || paths.length !== 1) return undefined;
  const [use] = paths;
  if (use === undefined || !isLiteralPath(use.real)) return undefined;
  return grantRule({ tool, path: use.real }, use.real);
}

/**
 * What a session may remember of an approval: this file, this kind of command, or this tool; the command alone, or the host,
 * where nothing more can be distinguished. `undefined`: nothing of it.
 */
export function sessionOffer(action: JudgedAction, open: readonly string[], home: string): Remembered | undefined {
  const { tool, command, paths } = action;
  const narrow = grantOffer(action, open, home);
  if (command !== undefined) {
    if (narrow === undefined) return undefined;
    if (narrow.host !== undefined) return { what: "host", rule: narrow };
    return familyOffer(tool, command) ?? { what: "command", rule: narrow };
  }
  if (action.network !== undefined) return narrow === undefined ? undefined : { what: "host", rule: narrow };
  const [use, ...more] = paths;
  if (use === undefined)
    return action.effect === "execute"
      ? { what: "tool", rule: { verdict: "allow", tool, source: "grant", text: tool } }
      : undefined;
  if (more.length > 0 || !isLiteralPath(use.real)) return undefined;
  return { what: "file", rule: grantRule({ tool, path: use.real }, use.real) };
}

/** As long as the files it runs, or takes its tasks from, stay as they are. */
function familyOffer(tool: string, { form, scripts }: CommandUse): Remembered | undefined {
  const lexed = lexForm(form);
  const [words = [], ...others] = lexed.type === "plain" ? lexed.commands : [];
  const family = others.length === 0 ? commandFamily(words) : undefined;
  const pattern = family === undefined ? undefined : exactPattern(family);
  if (pattern === undefined || pattern.length > maxPatternCharacters) return undefined;
  return { what: "family", rule: { ...grantRule({ tool, command: `${pattern}:*` }, `${pattern}:*`), scripts } };
}

function commandOffer(
  { tool }: JudgedAction,
  { form, cwd, confinement, scripts }: CommandUse,
  { open, home }: { readonly open: readonly string[]; readonly home: string },
): Rule | undefined {
  const whole = cwd === home ? exactOffer(tool, form, scripts) : undefined;
  switch (confinement.type) {
    case "none":
      return confinement.asked === undefined ? whole : undefined;
    case "sandbox": {
      const closed = confinement.hosts.filter((wanted) => !open.some((pattern) => opensHost(pattern, wanted)));
      const [host, ...more] = closed;
      if (confinement.writable.length > 0 || more.length > 0) return undefined;
      return host === undefined ? whole : grantRule({ tool, host }, host);
    }
  }
}

/** The host, for this tool; what may carry something away is asked about every time. */
function hostOffer(tool: string, { host, carries }: NetworkUse): Rule | undefined {
  return carries === undefined ? grantRule({ tool, host }, host) : undefined;
}

function exactOffer(tool: string, form: CommandForm, scripts: CommandUse["scripts"]): Rule | undefined {
  // What cannot be distinguished from another content cannot be remembered.
  if (scripts.some(({ sha256 }) => sha256 === unreadScript)) return undefined;
  const lexed = lexForm(form);
  if (lexed.type === "opaque" || lexed.commands.some((words) => hiddenScript(words) !== undefined)) return undefined;
  const [words = [], ...others] = lexed.commands;
  const script = form.type === "script" ? form.script.trim() : undefined;
  const pattern = others.length === 0 ? exactPattern(words) : script;
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
