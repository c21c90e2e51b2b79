import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataDirectory, openArchive } from "@capstan/host";
import { inertLine, interactionSummary } from "@capstan/view";
import { withStoredSessions } from "../joining/open-client.ts";

/** Ids that a shell proposes: more nobody reads. */
const maxProposed = 50;
const titleCharacters = 60;

/** One line for each: the id, a tab, what it is. Where nothing was ever stored, nothing is created to find that out. */
export async function knownIds(what: "sessions" | "interactions"): Promise<readonly string[]> {
  const home = dataDirectory(process.env);
  if (!existsSync(join(home, "capstan.db"))) return [];
  return what === "sessions" ? await sessionLines(home) : await interactionLines();
}

async function sessionLines(home: string): Promise<readonly string[]> {
  const archive = await openArchive({ home });
  try {
    const listed = (await archive.list()).slice(0, maxProposed);
    return listed.map(({ id, title }) => `${id}\t${inertLine(title, titleCharacters)}`);
  } finally {
    await archive.close();
  }
}

async function interactionLines(): Promise<readonly string[]> {
  const entries = await withStoredSessions((client) => client.interactions.list());
  return entries
    .slice(0, maxProposed)
    .map(({ interaction }) => `${interaction.id}\t${inertLine(interactionSummary(interaction), titleCharacters)}`);
}
