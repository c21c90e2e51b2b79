import type { FoundSkills } from "./find-skills.ts";
import type { OpenedSkills } from "./open-skills.ts";
import { skillFiles, type SkillPlaces } from "./skill-places.ts";

/** The skills of one workspace; their code is loaded where there are any. @returns `null` where there is none: then there is no tool for them */
export async function openSkills(places: SkillPlaces): Promise<OpenedSkills | null> {
  if ((await skillFiles(places)).length === 0) return null;
  const { openFoundSkills } = await import("./open-skills.ts");
  return await openFoundSkills(places);
}

/** The skills of the user, then those of the workspace, and what is wrong with others. */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const found = await import("./find-skills.ts");
  return await found.findSkills(places);
}
