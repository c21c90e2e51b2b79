import { basename, dirname } from "node:path";
import { inertLine } from "@capstan/patterns";
import { isJsonObject, type Skill } from "@capstan/protocol";
import { readFrontMatter } from "./front-matter.ts";
import { maxDescriptionCharacters, maxNameCharacters, maxToolRules } from "./limits.ts";

/** A skill as its file says, with its text; or why it is none. */
export type ReadSkill =
  | { readonly type: "skill"; readonly skill: Skill; readonly body: string; readonly isHidden: boolean }
  | { readonly type: "wrong"; readonly problem: string };

/** Reads a `SKILL.md`: its name is that of its folder unless it says another, and without a description nobody knows when it is of use. */
export async function readSkill(file: string, from: Skill["from"], text: string): Promise<ReadSkill> {
  const { fields, body, problem } = await readFrontMatter(text);
  if (problem !== undefined) return { type: "wrong", problem: `its front matter is no YAML: ${problem}` };
  const said = textOf(fields["name"]);
  // Words with blanks are a title, which no model and nobody who types could give exactly.
  const isTitle = said !== undefined && /\s/.test(said);
  const name = inertLine(said === undefined || isTitle ? basename(dirname(file)) : said, maxNameCharacters);
  const description = inertLine(textOf(fields["description"]) ?? "", maxDescriptionCharacters);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(name))
    return {
      type: "wrong",
      problem: `its name ${JSON.stringify(name)} has more than letters, digits, "-", "_", "." and ":"`,
    };
  if (description === "") return { type: "wrong", problem: "it has no description" };
  const tools = toolsOf(fields);
  const skill = { name, description, file, from, ...(tools === undefined ? {} : { tools }) };
  return { type: "skill", skill, body, isHidden: fields["disable-model-invocation"] === true };
}

/** `allowed-tools` of the Agent Skills format, and `tools.allow` and `tools.deny`. */
function toolsOf(fields: Readonly<Record<string, unknown>>): Skill["tools"] {
  const { tools } = fields;
  const nested = isJsonObject(tools) ? tools : {};
  const given = fields["allowed-tools"] ?? fields["allowed_tools"];
  const allow = [...rulesOf(given), ...rulesOf(nested["allow"])];
  const deny = [...rulesOf(fields["disallowed-tools"]), ...rulesOf(nested["deny"])];
  return allow.length + deny.length === 0 ? undefined : { allow, deny };
}

/** A list, or words with commas or blanks between them; what stands in brackets belongs to the word before it. */
function rulesOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [textOf(value) ?? ""];
  return texts.flatMap((text) => text.match(/[^\s,()]+(?:\([^()]*\))?/g) ?? []).slice(0, maxToolRules);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
