import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { KnownPlace, KnownPlaces } from "./known-places.ts";
import type { Survey } from "./survey.ts";

interface Moved {
  readonly texts: readonly string[];
  /** Where it was; `undefined`: nobody can say. */
  readonly from: readonly string[] | undefined;
}

/** What a command has moved to where nobody would look for it, in words, and all that it has moved. */
export async function tellMoved(
  known: KnownPlaces,
  { before, surveys }: { readonly before: readonly KnownPlace[]; readonly surveys: readonly Survey[] },
): Promise<Moved> {
  try {
    const { moved, shut } = await known.locate([]);
    const now = moved.filter(({ seenAt }) => !before.some((place) => place.seenAt === seenAt));
    const texts = now
      .filter(({ seenAt }) => !surveys.some((survey) => isInSight(seenAt, survey)))
      .map(({ path, seenAt }) => `${quoted(path)} was moved to ${quoted(seenAt)} (it stays protected there)`);
    return { texts, from: shut.length > 0 ? undefined : moved.map(({ path }) => path) };
  } catch (error) {
    return { texts: [messageOf(error)], from: undefined };
  }
}

function isInSight(path: string, { governing, denied, repositories, bare }: Survey): boolean {
  const folders = [...governing, ...denied, ...bare, ...repositories.map((folder) => join(folder, ".git"))];
  return folders.some((folder) => isWithin(folder, path));
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
