import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { KnownPlace, KnownPlaces } from "./known-places.ts";
import type { Survey } from "./survey.ts";

/** What a command has moved to where nobody would look for it, in words. */
export async function tellMoved(
  known: KnownPlaces,
  { before, surveys }: { readonly before: readonly KnownPlace[]; readonly surveys: readonly Survey[] },
): Promise<readonly string[]> {
  try {
    const { moved } = await known.locate([]);
    return moved
      .filter(({ seenAt }) => !before.some((place) => place.seenAt === seenAt))
      .filter(({ seenAt }) => !surveys.some((survey) => isInSight(seenAt, survey)))
      .map(({ path, seenAt }) => `${quoted(path)} was moved to ${quoted(seenAt)} (it stays protected there)`);
  } catch (error) {
    return [messageOf(error)];
  }
}

function isInSight(path: string, { governing, denied, repositories, bare }: Survey): boolean {
  const folders = [...governing, ...denied, ...bare, ...repositories.map((folder) => join(folder, ".git"))];
  return folders.some((folder) => isWithin(folder, path));
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
