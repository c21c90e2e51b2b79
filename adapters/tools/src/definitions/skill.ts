import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { Skills } from "@capstan/ports";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Reads a skill on demand. @see seed P16 */
export function skill(skills: Skills): ToolEntry {
  return { ...skillEntry, load: async () => (await import("../implementations.ts")).createSkillTool(skills) };
}

export const skillEntry: Omit<ToolEntry, "load"> = {
  name: "skill",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: [], pattern: "none", contents: "untouched" },
  aliases: ["Skill", "load_skill", "activate_skill", "use_skill", "read_skill"],
  argumentAliases: [
    renamed("name", ["skill", "skill_name", "command"]),
    renamed("file", ["path", "resource"]),
    dropped(["args", "explanation", "description"]),
  ],
};

const definition: ToolText = {
  description: "Read a skill: what to do, and the names of its further files. With `file`, read one of those.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: 200 },
      file: { type: "string", minLength: 1, maxLength: 1000, description: "A path in the skill's folder" },
    },
    required: ["name"],
    additionalProperties: false,
  },
};
