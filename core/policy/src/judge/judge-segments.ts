import type { CommandRules } from "../rules/command-rules.ts";
import { changesShell } from "../commands/wrappers.ts";
import { quoteCommand } from "../quote-for-people.ts";
import type { Situation } from "../situation.ts";
import { judgeSegment, mustBeNamed, type SegmentJudgement } from "./judge-segment.ts";

/** Each command of a script by itself, as it stands where those before it have led. */
export function judgeSegments(
  commands: readonly (readonly string[])[],
  rules: CommandRules,
  situation: Situation,
): readonly SegmentJudgement[] {
  let { isAtHome } = rules;
  const placed = commands.map((words) => {
    const there = { ...rules, isAtHome };
    isAtHome = isAtHomeAfter(words, isAtHome, situation);
    return { words, rules: there };
  });
  const segments = placed.map((segment) => judgeSegment(segment.words, segment.rules, situation));
  const isProtected = rules.files.some((rule) => mustBeNamed(rule, rules));
  // After `export PATH=.` even `ls` is not what it seems, whoever allowed the export; after `cd` no rule knows the path by its name.
  const changer = segments.find(({ words, safety }) => changesShell(words) && (!safety.safe || isProtected));
  if (changer === undefined) return segments;
  const distrust = `${quoteCommand(changer.words)} may change what it means`;
  return placed.map((segment, at) => {
    const judged = segments[at];
    return judged === undefined || judged === changer
      ? changer
      : judgeSegment(segment.words, segment.rules, situation, distrust);
  });
}

/** Whether what follows this command starts in the workspace's folder. */
function isAtHomeAfter(
  [program = "", ...words]: readonly string[],
  isAtHome: boolean,
  { workspace }: Situation,
): boolean {
  if (!/^(?:cd|chdir|pushd|popd)$/.test(program)) return isAtHome;
  const [folder, ...others] = words;
  if (program !== "cd" || folder === undefined || others.length > 0) return false;
  return (
    folder === workspace.cwd || folder === `${workspace.cwd}/` || (isAtHome && (folder === "." || folder === "./"))
  );
}
