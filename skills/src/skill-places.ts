import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Skill } from "@capstan/protocol";
import type { WorkspaceTrust } from "@capstan/trust";
import { maxFoldersOfPlace } from "./limits.ts";

export interface SkillPlaces {
  /** Capstan's data directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trust: Pick<WorkspaceTrust, "trusted" | "approved">;
}

/** A file that may be a skill, and whose it is. */
export interface SkillFile {
  readonly file: string;
  readonly from: Skill["from"];
}

/** Every file that may be a skill, those that count most first; only names are looked at. */
export async function skillFiles({ home, env, trust }: SkillPlaces): Promise<readonly SkillFile[]> {
  const own = await Promise.all(userFolders(home, env).map(async (folder) => await skillsIn(folder)));
  const brought = trust.trusted ? [...trust.approved.keys()].filter((path) => workspaceSkill.test(path)) : [];
  return [
    ...own.flat().map((file) => ({ file, from: "user" as const })),
    ...brought.map((file) => ({ file, from: "workspace" as const })),
  ];
}

/** What lies in a folder that trust lists as one of skills. */
const workspaceSkill = /\/\.(?:capstan|agents|claude)\/skills\/[^/]+\/SKILL\.md$/;

/** Where the user keeps skills, those that count most first. */
export function userFolders(home: string, env: SkillPlaces["env"]): readonly string[] {
  const { HOME: user = "", XDG_CONFIG_HOME: settings = "" } = env;
  const ofUser = isAbsolute(user) ? [join(user, ".agents", "skills"), join(user, ".claude", "skills")] : [];
  const shared = isAbsolute(settings) ? settings : isAbsolute(user) ? join(user, ".config") : undefined;
  return [join(home, "skills"), ...ofUser, ...(shared === undefined ? [] : [join(shared, "agents", "skills")])];
}

/** `SKILL.md` of each folder in a folder; a link to a folder counts, because users share their skills so. */
async function skillsIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names
    .toSorted()
    .slice(0, maxFoldersOfPlace)
    .map((name) => join(folder, name, "SKILL.md"))
    .filter((file) => existsSync(file));
}
