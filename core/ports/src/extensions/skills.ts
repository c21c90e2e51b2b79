import type { Skill, ToolLimits } from "@capstan/protocol";

/** What a skill brings when it is asked for. */
export interface LoadedSkill {
  readonly skill: Skill;
  /** What the model reads: the text of `SKILL.md` below its front matter, or of the file that was asked for. */
  readonly text: string;
  /** Its other files, by their paths in its folder. */
  readonly files: readonly string[];
  /** What the turn is held to that follows it; absent: nothing but what holds anyway. */
  readonly limits?: ToolLimits;
}

/**
 * What teaches a model how to do something, and is read when it is needed.
 *
 * Contract:
 * - `list` answers at once, always in the same order.
 * - `load` reads the skill as it is now; one that a workspace brings along is read only while its files are as the user trusted them.
 */
export interface Skills {
  list(): readonly Skill[];
  /**
   * @param file  a path in its folder; absent: `SKILL.md`
   * @throws ToolRefusal for a skill or file that does not exist, is not trusted as it is, or is no text
   */
  load(name: string, file?: string): Promise<LoadedSkill>;
}
