export type { FoundSkill, FoundSkills } from "./find-skills.ts";
export { readFrontMatter } from "./front-matter.ts";
export { readTextFile } from "./skill-files.ts";
export type { OpenedSkills } from "./open-skills.ts";
export { type SkillPlaces, userFolders } from "./skill-places.ts";
export { findSkills, openSkills } from "./skills-when-needed.ts";
