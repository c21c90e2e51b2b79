import { basename } from "node:path";
import { inertLine } from "@capstan/patterns";
import type { Agent } from "@capstan/protocol";
import { readFrontMatter } from "@capstan/skills";
import { maxDescriptionCharacters, maxNameCharacters, maxToolNames } from "./limits.ts";

/** An agent as its file says, or why it is none. */
export type ReadAgent =
  | { readonly type: "agent"; readonly agent: Agent }
  | { readonly type: "wrong"; readonly problem: string };

/** Reads an agent's Markdown file: front matter with `name`, `description`, `tools` and `model`, then its instructions. */
export async function readAgent(file: string, from: Agent["from"], text: string): Promise<ReadAgent> {
  const { fields, body, problem } = await readFrontMatter(text);
  if (problem !== undefined) return wrong(`its front matter is no YAML: ${problem}`);
  const name = inertLine(textOf(fields["name"]) ?? basename(file, ".md"), maxNameCharacters);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(name))
    return wrong(`its name ${JSON.stringify(name)} has more than letters, digits, "-", "_", "." and ":"`);
  const description = inertLine(textOf(fields["description"]) ?? "", maxDescriptionCharacters);
  if (description === "") return wrong("it has no description");
  if (body === "") return wrong("it has no text below its front matter");
  const tools = toolsOf(fields["tools"]);
  const model = textOf(fields["model"]);
  const hasModel = model !== undefined && model !== "inherit";
  return {
    type: "agent",
    agent: {
      name,
      description,
      from,
      file,
      prompt: body,
      tools,
      ...(hasModel ? { model } : {}),
      ...(textOf(fields["isolation"]) === "worktree" ? { isolation: "worktree" } : {}),
    },
  };
}

/** A list, or words with commas or blanks between them; what stands in brackets belongs to a rule and is no name. */
function toolsOf(value: unknown): Agent["tools"] {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [textOf(value) ?? ""];
  const names = texts.flatMap((text) => text.replaceAll(/\([^()]*\)/g, "").match(/[^\s,]+/g) ?? []);
  return names.length === 0 || names.includes("*") ? null : names.slice(0, maxToolNames);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function wrong(problem: string): ReadAgent {
  return { type: "wrong", problem };
}
