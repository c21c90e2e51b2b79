import type { CommandUse, RiskLevel } from "@capstan/protocol";
import { lexForm } from "./lex-form.ts";
import { compileRegex, occursInText, type Regex } from "./regex/regex.ts";
import type { JudgedAction } from "./situation.ts";

/** How dangerous a call looks, and why. It is shown to whoever is asked; it changes no decision. */
export interface Risk {
  readonly level: RiskLevel;
  /** What raises it, in a few words each. */
  readonly factors: readonly string[];
}

/**
 * Looks at a call: one serious factor makes it high, a compound command medium. The tool's own word is the least for everything
 * but commands, which every tool calls risky.
 */
export function riskOf(action: JudgedAction): Risk {
  const { command, paths, risk } = action;
  if (command !== undefined) return riskOfCommand(command);
  const factors = [
    ...(paths.some(({ access }) => access === "delete") ? ["it deletes files"] : []),
    ...(paths.some(({ shown }) => shown.startsWith("/")) ? ["it touches files outside the workspace"] : []),
  ];
  const level =
    factors.length === 0 || risk === "high" ? risk : action.effect === "read" ? atLeastMedium(risk) : "high";
  return { level, factors };
}

function riskOfCommand(command: CommandUse): Risk {
  const { form, nested } = command;
  const text = form.type === "script" ? form.script : form.argv.join(" ");
  const shown = text.length > maxReadCharacters ? text.slice(0, maxReadCharacters) : text;
  const lexed = lexForm(form);
  const commands = [...(lexed.type === "plain" ? lexed.commands : []), ...nested.map(({ words }) => words)];
  const serious = [
    ...textFactors.flatMap(({ regex, factor }) => (occursInText(regex, shown) ? [factor] : [])),
    ...(commands.some(deletesRecursively) ? [deletesTree] : []),
    ...(text.length > maxReadCharacters ? ["longer than anyone reads"] : []),
    ...leavesBox(command),
  ];
  const plain = [
    ...(form.type === "script" && lexed.type === "opaque" ? [`it has ${lexed.why}`] : []),
    ...(lexed.type === "plain" && lexed.commands.length > 1 ? ["compound"] : []),
    ...reachesNetwork(command),
  ];
  const level = serious.length > 0 ? "high" : plain.length > 0 ? "medium" : "low";
  return { level, factors: [...new Set([...serious, ...plain])] };
}

function leavesBox({ confinement }: CommandUse): readonly string[] {
  if (confinement.type === "none") return confinement.asked === undefined ? [] : ["it would run outside the sandbox"];
  return confinement.writable.length === 0 ? [] : ["it writes outside the workspace"];
}

function reachesNetwork({ confinement }: CommandUse): readonly string[] {
  return confinement.type === "sandbox" && confinement.hosts.length > 0 ? ["it reaches the network"] : [];
}

/** Characters looked through: enough for any command somebody wrote by hand. */
const maxReadCharacters = 16_384;
const deletesTree = "recursive force delete";

interface TextFactor {
  readonly regex: Regex;
  readonly factor: string;
}

// Read in linear time, because the text is the model's.
function factorOf(source: string, factor: string): readonly TextFactor[] {
  const regex = compileRegex(source);
  return "problem" in regex ? [] : [{ regex, factor }];
}

const word = "(^|[\\s;&|(`/'\"])";
const textFactors: readonly TextFactor[] = [
  ...factorOf(`${word}(sudo|doas|su|pkexec)(\\s|$)`, "other rights (sudo)"),
  ...factorOf("\\|\\s*(sudo\\s+)?(/\\S*/)?(ba|da|z|k|fi)?sh([\\s;&|)-]|$)", "pipe to a shell"),
  ...factorOf("\\|\\s*(/\\S*/)?(python[0-9.]*|perl|ruby|node)(\\s|$)", "pipe to an interpreter"),
  ...factorOf("\\bchmod\\s+(-\\S+\\s+)*(0?777|a\\+rwx|ugo\\+rwx)\\b", "rights for everybody (chmod 777)"),
  ...factorOf("(?i)\\b(drop|truncate)\\s+(table|database|schema)\\b", "database destruction"),
  ...factorOf(
    "\\bgit\\s[^;&|\\n]*\\bpush\\s[^;&|\\n]*(--force|--mirror|--delete|-[a-zA-Z]*f\\b|\\s\\+\\S)",
    "forced push",
  ),
  ...factorOf("\\bgit\\s[^;&|\\n]*(reset\\s[^;&|\\n]*--hard|clean\\s+-\\w*f|filter-branch)", "throws work away"),
  ...factorOf(`${word}(mkfs(\\.\\w+)?|shred|wipefs|fdisk)(\\s|$)`, "disk destruction"),
  ...factorOf("\\bdd\\s[^;&|\\n]*\\bof=", "writes raw (dd)"),
  ...factorOf("\\$\\([^)\\n]*\\b(curl|wget)\\b|`[^`\\n]*\\b(curl|wget)\\b", "runs what it fetches"),
  ...factorOf("(>>?|\\btee\\s+(-a\\s+)?)\\s*(~|/home|/root|/etc|/usr|\\$HOME)", "writes outside the workspace"),
  ...factorOf(
    `${word}rm\\s+(-\\S+\\s+)*(-\\w*(rf|fr|Rf|fR)\\w*|--recursive\\s+--force|-[rR]\\s+-f|-f\\s+-[rR])(\\s|$)`,
    deletesTree,
  ),
];

function deletesRecursively(words: readonly string[]): boolean {
  const at = words.findIndex((each) => each === "rm" || each.endsWith("/rm"));
  if (at === -1) return false;
  const options = words.slice(at + 1).filter((each) => each.startsWith("-"));
  const has = (letter: RegExp, long: string): boolean =>
    options.some((option) => option === long || (/^-[A-Za-z]/.test(option) && letter.test(option)));
  return has(/r/i, "--recursive") && has(/f/, "--force");
}

function atLeastMedium(risk: RiskLevel): RiskLevel {
  return risk === "low" ? "medium" : risk;
}
