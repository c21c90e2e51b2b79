import { basename } from "node:path";
import { inertLine } from "@capstan/patterns";
import type { Agent } from "@capstan/protocol";
import { readFrontMatter } from "@capstan/skills";
import { fieldsOfAgent, namesOf, textOf, WrongField } from "./agent-fields.ts";
import { maxDescriptionCharacters, maxNameCharacters } from "./limits.ts";

/** An agent as its file says, or why it is none. */
export type ReadAgent =
  | { readonly type: "agent"; readonly agent: Agent }
  | { readonly type: "wrong"; readonly problem: string };

/** Reads an agent's Markdown file: front matter, then its instructions. */
export async function readAgent(file: string, from: Agent["from"], text: string): Promise<ReadAgent> {
  const { fields, body, problem } = await readFrontMatter(text);
  if (problem !== undefined) return wrong(`its front matter is no YAML: ${problem}`);
  const name = inertLine(textOf(fields["name"]) ?? basename(file, ".md"), maxNameCharacters);
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(name))
    return wrong(`its name ${JSON.stringify(name)} has more than letters, digits, "-", "_", "." and ":"`);
  const description = inertLine(textOf(fields["description"]) ?? "", maxDescriptionCharacters);
  if (description === "") return wrong("it has no description");
  if (body === "") return wrong("it has no text below its front matter");
  const tools = namesOf(fields["tools"]);
  try {
    const isAll = tools === null || tools.length === 0 || tools.includes("*");
    const more = fieldsOfAgent(fields);
    return {
      type: "agent",
      agent: { name, description, from, file, prompt: body, tools: isAll ? null : tools, ...more },
    };
  } catch (error) {
    if (error instanceof WrongField) return wrong(error.message);
    throw error;
  }
}

function wrong(problem: string): ReadAgent {
  return { type: "wrong", problem };
}
