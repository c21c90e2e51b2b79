import { quote } from "@capstan/settings";
import { isCommandTool, type TetherRule } from "./tether-rule.ts";

/** A rule with where it stands. */
export interface PlacedTetherRule {
  readonly rule: TetherRule;
  readonly place: string;
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;
const maxOrderWarnings = 20;

/**
 * In Tether the first rule that matches decides; here the strictest does. The two differ where a later rule is stricter than an
 * earlier one about the same call. Said of each later rule that is certain to meet an earlier one, and once of all others that
 * may.
 */
export function orderWarnings(file: string, placed: readonly PlacedTetherRule[]): readonly string[] {
  const warnings: string[] = [];
  let uncertain = 0;
  for (const [index, later] of placed.entries()) {
    const earlier = placed
      .slice(0, index)
      .filter(({ rule }) => strictness[rule.verdict] < strictness[later.rule.verdict]);
    const met = earlier.find(({ rule }) => surelyMeet(rule, later.rule));
    if (met !== undefined) warnings.push(meaning(met, later));
    else if (earlier.some(({ rule }) => shareTool(rule, later.rule))) uncertain += 1;
  }
  const shown = warnings.slice(0, maxOrderWarnings);
  if (warnings.length > shown.length) shown.push(`${file}: ${warnings.length - shown.length} more rules like these`);
  if (uncertain > 0)
    shown.push(
      `${file}: rules are not read in order here: where ${uncertain === 1 ? "a rule" : `${uncertain} rules`} matches what an earlier and looser one matches too, the stricter decides`,
    );
  return shown;
}

function meaning(earlier: PlacedTetherRule, later: PlacedTetherRule): string {
  const does = later.rule.verdict === "deny" ? "denies" : "asks about";
  const did = earlier.rule.verdict === "allow" ? "allows" : "asks about";
  return `${later.place}: rule ${quote(later.rule.name)} ${does} what the earlier ${quote(earlier.rule.name)} ${did}: here ${later.rule.verdict} beats ${earlier.rule.verdict}, whatever the order`;
}

function shareTool(left: TetherRule, right: TetherRule): boolean {
  return left.tools.some((tool) => right.tools.includes(tool));
}

/** The later rule speaks of all calls of a tool, or of the very same pattern. */
function surelyMeet(earlier: TetherRule, later: TetherRule): boolean {
  return earlier.tools.some((tool) => {
    if (!later.tools.includes(tool)) return false;
    const ownOf = ({ commands, paths }: TetherRule): readonly string[] => (isCommandTool(tool) ? commands : paths);
    return ownOf(later).length === 0 || ownOf(earlier).some((pattern) => ownOf(later).includes(pattern));
  });
}
