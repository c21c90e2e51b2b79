/** A module of its own: it is loaded where somebody has written a persona. */
import { basename, extname } from "node:path";
import { readFrontMatter } from "@capstan/skills";
import { parse } from "smol-toml";
import { personaOf, unreadFields, WrongField } from "./persona-fields.ts";
import type { Persona } from "./persona.ts";

export interface ReadPersona {
  readonly persona: Persona;
  /** Fields of its file that count for nothing here. */
  readonly unread: readonly string[];
}

/** Reads a persona's file: Markdown with front matter, or TOML with `system_prompt`. @throws WrongField */
export async function readPersona(file: string, from: Persona["from"], text: string): Promise<ReadPersona> {
  const extension = extname(file);
  const fields = extension === ".toml" ? fieldsOfToml(text) : await fieldsOfMarkdown(text);
  const persona = personaOf(fields, { from, file, stem: basename(file, extension) });
  return { persona, unread: unreadFields(fields) };
}

function fieldsOfToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    throw new WrongField(`it is no TOML: ${firstLine(error)}`);
  }
}

async function fieldsOfMarkdown(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { fields, body, problem } = await readFrontMatter(text);
  if (problem !== undefined) throw new WrongField(`its front matter is no YAML: ${problem}`);
  return body === "" ? fields : { ...fields, system_prompt: body };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
