import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { NoticeRecord } from "@capstan/protocol";
import { readTextFile } from "@capstan/skills";
import { isApproved, type WorkspaceTrust } from "@capstan/trust";
import { builtInPersonas } from "./built-in-personas.ts";
import { maxFilesOfPlace, maxPersonas } from "./limits.ts";
import { WrongField } from "./persona-fields.ts";
import type { Persona } from "./persona.ts";
import type { ReadPersona } from "./read-persona.ts";

export interface PersonaPlaces {
  /** Capstan's data directory. */
  readonly home: string;
  readonly trust: Pick<WorkspaceTrust, "trusted" | "approved">;
}

export interface FoundPersonas {
  /** In the order of their names. */
  readonly personas: readonly Persona[];
  readonly notices: readonly Omit<NoticeRecord, "type">[];
}

interface PersonaFile {
  readonly file: string;
  readonly from: Exclude<Persona["from"], "built-in">;
}

/**
 * The personas of the user, then those of the workspace, where the user trusts it as it is now, then the built-in ones. Of two of one name
 * the first counts, but no repository takes the place of a built-in one.
 */
export async function findPersonas(places: PersonaPlaces): Promise<FoundPersonas> {
  const files = await personaFiles(places);
  const found = new Map<string, Persona>();
  const notices: Omit<NoticeRecord, "type">[] = [];
  for (const { file, from } of files) {
    if (found.size === maxPersonas) break;
    const read = await readTextFile(file);
    if (read === undefined) continue;
    if (from === "workspace" && !isApproved(places.trust, file, read.sha256)) continue;
    const made = await tried(file, from, read.text);
    if (typeof made === "string") {
      notices.push(leftOut(file, made));
      continue;
    }
    const { persona, unread } = made;
    if (from === "workspace" && builtInPersonas.some(({ name }) => name === persona.name))
      notices.push(leftOut(file, `a persona of Capstan's own is named ${persona.name}`));
    else if (!found.has(persona.name)) {
      found.set(persona.name, persona);
      if (unread.length > 0) notices.push(partlyRead(file, unread));
    }
  }
  for (const persona of builtInPersonas) if (!found.has(persona.name)) found.set(persona.name, persona);
  return { personas: [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)), notices };
}

/** @returns the persona, or why the file is none */
async function tried(file: string, from: PersonaFile["from"], text: string): Promise<ReadPersona | string> {
  const { readPersona } = await import("./read-persona.ts");
  try {
    return await readPersona(file, from, text);
  } catch (error) {
    if (error instanceof WrongField) return error.message;
    throw error;
  }
}

async function personaFiles({ home, trust }: PersonaPlaces): Promise<readonly PersonaFile[]> {
  const folder = join(home, "personas");
  const names = await readdir(folder).catch((): readonly string[] => []);
  const own = names.filter((name) => isPersona.test(name)).toSorted();
  const brought = trust.trusted ? [...trust.approved.keys()].filter((path) => workspacePersona.test(path)) : [];
  return [
    ...own.slice(0, maxFilesOfPlace).map((name) => ({ file: join(folder, name), from: "user" as const })),
    ...brought.slice(0, maxFilesOfPlace).map((file) => ({ file, from: "workspace" as const })),
  ];
}

const isPersona = /\.(?:md|toml)$/;

/** What lies in a folder that trust lists as one of personas. */
const workspacePersona = /\/\.capstan\/personas\/[^/]+\.(?:md|toml)$/;

function leftOut(file: string, problem: string): Omit<NoticeRecord, "type"> {
  return { level: "warning", code: "persona.unreadable", text: `the persona ${file} is left out: ${problem}` };
}

function partlyRead(file: string, unread: readonly string[]): Omit<NoticeRecord, "type"> {
  const text = `the persona ${file} counts without ${unread.join(", ")}: mode and rules decide what is asked, settings the model`;
  return { level: "info", code: "persona.partly-read", text };
}
