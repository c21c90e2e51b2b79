import type { CommandUse, RiskLevel } from "@capstan/protocol";
import { lexForm } from "./lex-form.ts";
import type { JudgedAction } from "./scene.ts";

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
  const level = factors.length === 0 || risk === "high" ? risk : action.effect === "read" ? atLeastMedium(risk) : "high";
  return { level, factors };
}

function riskOfCommand({ form, confinement, nested }: CommandUse): Risk {
  const text = form.type === "script" ? form.script : form.argv.join(" ");
  const shown = text.length > maxReadCharacters ? text.slice(0, maxReadCharacters) : text;
  const lexed = lexForm(form);
  const commands = [...(lexed.type === "plain" ? lexed.commands : []), ...nested.map(({ words }) => words)];
  const serious = [
    ...textFactors.flatMap(({ pattern, factor }) => (pattern.test(shown) ? [factor] : [])),
    ...(confinement.type === "none" && confinement.asked !== undefined ? ["it would run outside the sandbox"] : []),
    ...(confinement.type === "sandbox" && confinement.writable.length > 0 ? ["it writes outside the workspace"] : []),
    ...(commands.some(deletesRecursively) || deletesInText.test(shown) ? ["recursive force delete"] : []),
    ...(text.length > maxReadCharacters ? ["longer than anyone reads"] : []),
  ];
  const plain = [
    ...(form.type === "script" && lexed.type === "opaque" ? [`it has ${lexed.why}`] : []),
    ...(lexed.type === "plain" && lexed.commands.length > 1 ? ["compound"] : []),
    ...(confinement.type === "sandbox" && confinement.hosts.length > 0 ? ["it reaches the network"] : []),
  ];
  const level = serious.length > 0 ? "high" : plain.length > 0 ? "medium" : "low";
  return { level, factors: [...new Set([...serious, ...plain])] };
}

/** Characters looked through; patterns here go forward only. */
const maxReadCharacters = 16_384;

interface TextFactor {
  readonly pattern: RegExp;
  readonly factor: string;
}

const word = "(?:^|[\\s;&|(`/'\"])";
const textFactors: readonly TextFactor[] = [
  { pattern: new RegExp(`${word}(?:sudo|doas|su|pkexec)(?:\\s|$)`), factor: "other rights (sudo)" },
  { pattern: /\|\s*(?:sudo\s+)?(?:\/\S{0,64}\/)?(?:ba|da|z|k|fi)?sh(?:\s|$|-)/, factor: "pipe to a shell" },
  { pattern: /\|\s*(?:\/\S{0,64}\/)?(?:python[\d.]*|perl|ruby|node)(?:\s|$)/, factor: "pipe to an interpreter" },
  { pattern: /\bchmod\s(?:-\S+\s+)*(?:0?777|a\+rwx|ugo\+rwx)\b/, factor: "rights for everybody (chmod 777)" },
  { pattern: /\b(?:drop|truncate)\s{1,8}(?:table|database|schema)\b/i, factor: "database destruction" },
  { pattern: /\bgit\s[^;&|\n]{0,200}push\s[^;&|\n]{0,200}(?:--force|--mirror|--delete|-f\b|\s\+\S)/, factor: "forced push" },
  { pattern: /\bgit\s[^;&|\n]{0,200}(?:reset\s+--hard|clean\s+-\S*f|filter-branch)/, factor: "throws work away" },
  { pattern: new RegExp(`${word}(?:mkfs(?:\\.\\w+)?|shred|wipefs|fdisk)(?:\\s|$)`), factor: "disk destruction" },
  { pattern: /\bdd\s[^;&|\n]{0,200}\bof=/, factor: "writes raw (dd)" },
  { pattern: /\b(?:curl|wget)\b[^\n]{0,400}\$\(|\$\([^)\n]{0,200}\b(?:curl|wget)\b/, factor: "runs what it fetches" },
  { pattern: /(?:>>?|tee\s(?:-a\s)?)\s*(?:~|\/home|\/root|\/etc|\/usr|\$HOME)/, factor: "writes outside the workspace" },
];

const deletesInText = new RegExp(`${word}rm\\s(?:-{1,2}[\\w-]+\\s+)*(?:-\\w*(?:rf|fr|Rf|fR)\\w*|--recursive\\s+--force|-r\\s+-f|-f\\s+-r)(?:\\s|$)`);

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
