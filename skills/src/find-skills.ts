import type { NoticeRecord, Skill } from "@capstan/protocol";
import { isApproved } from "@capstan/trust";
import { maxSkills } from "./limits.ts";
import { readSkill } from "./read-skill.ts";
import { readTextFile } from "./skill-files.ts";
import { skillFiles, type SkillPlaces } from "./skill-places.ts";

/** A skill, and whether only its user asks for it. */
export interface FoundSkill {
  readonly skill: Skill;
  readonly isHidden: boolean;
}

export interface FoundSkills {
  /** In the order of their names. */
  readonly skills: readonly FoundSkill[];
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/**
 * The skills of the user, then those of the workspace, where the user trusts it as it is now. Of two of one name the first counts: no
 * repository takes the place of a skill of the user's.
 */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const found = new Map<string, FoundSkill>();
  const notices: Omit<NoticeRecord, "type">[] = [];
  for (const { file, from } of await skillFiles(places)) {
    if (found.size === maxSkills) break;
    const read = await readTextFile(file);
    if (read === undefined) continue;
    if (from === "workspace" && !isApproved(places.trust, file, read.sha256)) continue;
    const made = await readSkill(file, from, read.text);
    if (made.type === "wrong") notices.push(wrong(file, made.problem));
    else if (!found.has(made.skill.name)) found.set(made.skill.name, { skill: made.skill, isHidden: made.isHidden });
  }
  return {
    skills: [...found.values()].toSorted((one, other) => (one.skill.name < other.skill.name ? -1 : 1)),
    notices,
  };
}

function wrong(file: string, problem: string): Omit<NoticeRecord, "type"> {
  return { level: "warning", code: "skill.unreadable", text: `the skill ${file} is left out: ${problem}` };
}
