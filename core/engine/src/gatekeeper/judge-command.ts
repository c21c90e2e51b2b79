import { type CommandForm, type Judgement, unreachable } from "@capstan/protocol";
import { type CommandRules, commandRules } from "./rules/command-rules.ts";
import { judgeSegment, type SegmentJudgement } from "./judge-segment.ts";
import { isPrintableAscii, type LexedScript, lexScript } from "./commands/lexer.ts";
import { quoteCommand, quoteText } from "./quote-for-people.ts";
import { denialOf, exactAllowanceOf, questionOf, textSubject } from "./rules/rules-on-commands.ts";
import { type CommandAction, planReason, type Scene } from "./scene.ts";
import { changesShell, hiddenScript } from "./commands/wrappers.ts";

/** A command's judgement with how it came about. */
export interface CommandJudgement {
  readonly lexed: LexedScript;
  /** One per command of the script; empty when the script was not understood. */
  readonly segments: readonly SegmentJudgement[];
  readonly judgement: Judgement;
}

/** Decides about a command: every part by itself, then the whole by its strictest part. */
export function judgeCommand(action: CommandAction, scene: Scene): CommandJudgement {
  const rules = commandRules(action, scene);
  const judged = judgeByRules(action.command.form, rules, scene);
  if (judged.judgement.verdict !== "ask" || judged.judgement.rule === undefined) return judged;
  // A rule that asks must not open what would be denied without it: a project's rules may only restrict.
  const { judgement } = judgeByRules(action.command.form, withoutQuestions(rules), scene);
  return judgement.verdict === "deny" ? { ...judged, judgement } : judged;
}

function judgeByRules(form: CommandForm, rules: CommandRules, scene: Scene): CommandJudgement {
  const lexed = lexForm(form);
  const segments = lexed.type === "plain" ? judgeSegments(lexed.commands, rules, scene) : [];
  return { lexed, segments, judgement: judgeWhole({ lexed, form, segments, rules, scene }) };
}

function withoutQuestions(rules: CommandRules): CommandRules {
  return {
    ...rules,
    own: rules.own.filter(({ rule }) => rule.verdict !== "ask"),
    files: rules.files.filter(({ rule, protectsReading }) => rule.verdict === "deny" && protectsReading),
  };
}

interface WholeCommand {
  readonly lexed: LexedScript;
  readonly form: CommandForm;
  readonly segments: readonly SegmentJudgement[];
  readonly rules: CommandRules;
  readonly scene: Scene;
}

function judgeSegments(
  commands: readonly (readonly string[])[],
  rules: CommandRules,
  scene: Scene,
): readonly SegmentJudgement[] {
  const segments = commands.map((words) => judgeSegment(words, rules, scene));
  const isProtected = rules.files.some((rule) => rule.protectsReading);
  // After `export PATH=.` even `ls` is not what it seems, whoever allowed the export; after `cd` no rule knows the path by its name.
  const changer = segments.find(({ words, safety }) => changesShell(words) && (!safety.safe || isProtected));
  if (changer === undefined) return segments;
  const distrust = `${quoteCommand(changer.words)} may change what it means`;
  return segments.map((segment) =>
    segment === changer ? segment : judgeSegment(segment.words, rules, scene, distrust),
  );
}

function judgeWhole(whole: WholeCommand): Judgement {
  const { lexed, form, segments, rules, scene } = whole;
  const textRules = wholeTextRules(rules, lexed);
  const subject = textSubject(textOf(form), textRules);
  const denial = firstWith(segments, "deny") ?? denialOf(subject, textRules);
  if (denial !== undefined) return denial;
  if (scene.mode === "plan" && !isReadOnly(whole)) return { verdict: "deny", reason: planReason };
  const exact = form.type === "script" ? exactAllowanceOf(form.script, rules) : undefined;
  const question = firstWith(segments, "ask") ?? questionOf(subject, textRules);
  if (question !== undefined) return exact?.rule?.source === "grant" ? exact : question;
  return exact ?? allAllowed(segments) ?? byMode(whole);
}

function isReadOnly({ lexed, segments }: WholeCommand): boolean {
  return lexed.type === "plain" && segments.every(({ safety }) => safety.safe);
}

/** What rules say of the text as a whole: everything when its commands are uncertain, else only what no single command can show. */
function wholeTextRules(rules: CommandRules, lexed: LexedScript): CommandRules {
  return lexed.type === "opaque"
    ? rules
    : { ...rules, own: rules.own.filter(({ command }) => command.type === "script"), files: [] };
}

function firstWith(segments: readonly SegmentJudgement[], verdict: "deny" | "ask"): Judgement | undefined {
  return segments.find(({ judgement }) => judgement?.verdict === verdict)?.judgement;
}

function allAllowed(segments: readonly SegmentJudgement[]): Judgement | undefined {
  const [first] = segments;
  if (first === undefined || !segments.every(({ judgement }) => judgement?.verdict === "allow")) return undefined;
  if (segments.length === 1) return first.judgement;
  const rule = segments.find(({ judgement }) => judgement?.rule !== undefined)?.judgement?.rule;
  return rule === undefined
    ? { verdict: "allow", reason: "Every command of the script only reads inside the workspace." }
    : { verdict: "allow", reason: "Every command of the script is allowed by a rule or only reads.", rule };
}

function byMode({ lexed, form, segments, rules, scene }: WholeCommand): Judgement {
  if (scene.policy.yolo) return { verdict: "allow", reason: "`--yolo` allows what no rule denies or asks about." };
  if (scene.policy.approval === "strict" && scene.mode !== "auto") {
    return { verdict: "deny", reason: "Strict approval denies what no rule allows." };
  }
  const doubt = lexed.type === "opaque" ? lexed.why : lexed.commands.map(hiddenScript).find((why) => why !== undefined);
  if (doubt !== undefined)
    return asks(`${quoteText(textOf(form))} has ${doubt}, so what it does cannot be told for certain`);
  if (!rules.isCwdInside) return asks("the command would start outside the workspace");
  if (scene.mode === "auto")
    return { verdict: "allow", reason: "Mode `auto` allows commands that are fully understood." };
  const open = segments.find(({ judgement }) => judgement === undefined);
  const why = open === undefined || open.safety.safe ? "" : ` (${open.safety.why})`;
  return asks(`no rule allows ${quoteCommand(open?.words ?? [])}${why}`);
}

function asks(why: string): Judgement {
  return { verdict: "ask", reason: `A person must agree: ${why}.` };
}

function lexForm(form: CommandForm): LexedScript {
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

function textOf(form: CommandForm): string {
  return form.type === "script" ? form.script : form.argv.join(" ");
}
