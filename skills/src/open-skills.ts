import type { LoadedSkill, Skills } from "@capstan/ports";
import { type ContextPart, type NoticeRecord, type Skill, ToolRefusal } from "@capstan/protocol";
import { isApproved } from "@capstan/trust";
import { findSkills } from "./find-skills.ts";
import { readFrontMatter } from "./front-matter.ts";
import { maxListBytes, minDescriptionCharacters } from "./limits.ts";
import { limitsOf } from "./skill-limits.ts";
import type { SkillPlaces } from "./skill-places.ts";
import { filesOfSkill, placeInSkill, readTextFile } from "./skill-files.ts";

/** The skills of one workspace. */
export interface OpenedSkills extends Skills {
  /** What the model reads about them when a turn begins; `undefined`: there are none for it. */
  readonly part: ContextPart | undefined;
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

/** @returns `null` where there is no skill: then there is no tool for them either */
export async function openFoundSkills(places: SkillPlaces): Promise<OpenedSkills | null> {
  const { skills: found, notices } = await findSkills(places);
  if (found.length === 0 && notices.length === 0) return null;
  const skills = found.map(({ skill }) => skill);
  const offered = found.filter(({ isHidden }) => !isHidden).map(({ skill }) => skill);
  return {
    list: () => skills,
    load: async (name, file) => await load(name, file, { skills, trust: places.trust }),
    part: offered.length === 0 ? undefined : { name: "skills", text: listText(offered) },
    notices,
  };
}

interface Known {
  readonly skills: readonly Skill[];
  readonly trust: SkillPlaces["trust"];
}

async function load(name: string, file: string | undefined, { skills, trust }: Known): Promise<LoadedSkill> {
  const skill = skills.find((known) => known.name === name) ?? skills.find((known) => isNamed(known, name));
  if (skill === undefined) {
    const names = skills.map((known) => known.name).join(", ");
    throw refusal(`There is no skill ${JSON.stringify(name)}. There are: ${names}`);
  }
  const path = file === undefined ? skill.file : await placeInSkill(skill.file, file);
  if (path === undefined) throw refusal(`The skill ${skill.name} has no file ${JSON.stringify(file)}.`);
  const read = await readTextFile(path);
  if (read === undefined) throw refusal(`${path} is gone, is no text, or is too large to be read at once.`);
  if (skill.from === "workspace" && !isApproved(trust, path, read.sha256))
    throw refusal(`${path} is not as the user trusted it, and is not used until they trust it again.`);
  if (file !== undefined) return { skill, text: read.text, files: [] };
  const limits = limitsOf(skill);
  const { body } = await readFrontMatter(read.text);
  return { skill, text: body, files: await filesOfSkill(skill.file), ...(limits === undefined ? {} : { limits }) };
}

function isNamed({ name }: Skill, wanted: string): boolean {
  return name.toLowerCase() === wanted.replace(/^\//, "").toLowerCase();
}

function refusal(text: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", text);
}

const heading =
  "Skills: instructions for kinds of work, read when they are needed. Where one fits what the user wants, call `skill` with its name before you begin.";

/** Names and descriptions; where they are too many, all descriptions are cut to the same length. */
function listText(skills: readonly Skill[]): string {
  const room = maxListBytes / skills.length;
  const limit = Math.max(minDescriptionCharacters, Math.floor(room) - 70);
  const lines = skills.map(({ name, description }) => `- ${name}: ${short(description, limit)}`);
  return [heading, ...lines].join("\n");
}

function short(text: string, limitCharacters: number): string {
  return text.length <= limitCharacters ? text : `${text.slice(0, limitCharacters - 1).toWellFormed()}…`;
}
