import type { LoadedSkill, Skills, ToolResult } from "@capstan/ports";
import { type JsonObject, ToolRefusal, type ToolLimits } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";

/** UTF-16 units. */
const maxSummaryLength = 200;

/** `skill`: what a skill says, as it is when the call runs. */
export function createSkillTool(skills: Skills): ToolCode {
  return {
    prepare: async (args) => {
      const { name, file } = request(args);
      // For its refusals: a skill that does not exist.
      await skills.load(name, file);
      return {
        tool: "skill",
        arguments: { name, ...(file === undefined ? {} : { file }) },
        effect: "read",
        risk: "low",
        paths: [],
        summary: inertText(`skill ${name}${file === undefined ? "" : ` ${file}`}`, maxSummaryLength),
      };
    },
    run: async ({ arguments: args }) => {
      const { name, file } = request(args);
      try {
        return toResult(await skills.load(name, file), file);
      } catch (error) {
        if (error instanceof ToolRefusal) return { status: "failed", code: error.code, content: error.message };
        throw error;
      }
    },
  };
}

function request({ name, file }: JsonObject): { readonly name: string; readonly file: string | undefined } {
  return { name: typeof name === "string" ? name : "", file: typeof file === "string" ? file : undefined };
}

function toResult({ skill, text, files, limits }: LoadedSkill, file: string | undefined): ToolResult {
  const details = { skill: skill.name, file: file ?? "SKILL.md" };
  if (file !== undefined) return { status: "ok", content: text, details };
  const folder = skill.file.replace(/\/SKILL\.md$/, "");
  const more =
    files.length === 0
      ? []
      : [`Its further files, read with \`skill\` and \`file\`:\n${files.map((name) => `- ${name}`).join("\n")}`];
  const held = limits === undefined ? [] : [heldText(limits)];
  const content = [`Skill ${skill.name}, in ${folder}`, text, ...held, ...more].join("\n\n");
  return { status: "ok", content, details, ...(limits === undefined ? {} : { limits }) };
}

function heldText({ allow, deny }: ToolLimits): string {
  const only = allow.map(({ text }) => text).join(", ");
  const never = deny.map(({ text }) => text).join(", ");
  return [
    "Until this turn ends:",
    ...(only === "" ? [] : [`of what changes anything you may use ${only} only.`]),
    ...(never === "" ? [] : [`you may not use ${never}.`]),
  ].join(" ");
}
