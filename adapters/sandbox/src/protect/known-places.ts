import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, isJsonObject, type JsonValue } from "@capstan/protocol";
import type { Mount } from "../layout/profile.ts";
import { maxKnownBytes, maxKnownPlaces } from "../limits.ts";
import { findIdentities } from "./find-identities.ts";
import { readSmallFile } from "./git-configuration.ts";
import { identityAt } from "./identity-at.ts";
import { type FolderIdentity, folderWith, wasTakenOut } from "./open-folder.ts";
import { runsIn } from "./other-runs.ts";

/** A protected file or folder as it was seen first, and where it was seen last. */
export interface KnownPlace {
  /** Which file it is: device, inode and time of birth. */
  readonly identity: string;
  readonly path: string;
  readonly seenAt: string;
  readonly type: Mount["type"];
  /** The folder in which it had this path; absent: not known. */
  readonly folder?: FolderIdentity;
}

/** What is not where it was, or was not found there. */
interface Displaced {
  /** By where it is now. */
  readonly moved: readonly KnownPlace[];
  /** At its place, but whoever looked has not seen it: a command that runs may have moved it away and back meanwhile. */
  readonly overlooked: readonly KnownPlace[];
  /** Seen nowhere while commands run that may be moving it, and not known to be gone. */
  readonly unseen: readonly KnownPlace[];
  readonly shut: readonly string[];
}

interface Search {
  readonly found: readonly KnownPlace[];
  /** Nowhere that can be seen, while there are folders that cannot be looked into. */
  readonly hidden: readonly KnownPlace[];
  readonly shut: readonly string[];
}

const nothing: Search = { found: [], hidden: [], shut: [] };

/**
 * What was protected in these folders once stays protected wherever a command moves it: into installed packages, deeper than the
 * survey looks, in this session or the next. It is looked for only where it is not at its place.
 */
export class KnownPlaces {
  readonly #stateDirectory: string;
  readonly #roots: readonly string[];
  #places = new Map<string, KnownPlace>();

  /** @param roots  real paths of the open folders */
  constructor(stateDirectory: string, roots: readonly string[]) {
    this.#stateDirectory = stateDirectory;
    this.#roots = roots;
    for (const root of roots) for (const place of readPlaces(this.#file(root))) this.#places.set(place.identity, place);
  }

  /**
   * Learns what is protected now, and finds what was before and is not where it was.
   * @param isReleased  of a path whose file need not be protected any more
   * @returns the moved ones, outer ones first, and the folders in which others may be, since nobody can look into them
   * @throws AppError `sandbox.layout` when one cannot be found because there is too much to look at
   */
  async locate(mounts: readonly Mount[], isReleased: (path: string) => boolean = () => true): Promise<Displaced> {
    const present = new Map(mounts.flatMap((mount) => this.#placeOf(mount)).map((place) => [place.identity, place]));
    const unplanned = [...this.#places.values()].filter(({ identity }) => !present.has(identity));
    const missing = unplanned.filter(({ identity, path }) => identityAt(path) !== identity);
    const atPlace = unplanned.filter((place) => !missing.includes(place) && !isReleased(place.path));
    // Looked at before anything is looked for: what runs now may have ended, and moved things back, by then.
    const isBusy = missing.length + atPlace.length > 0 && runsIn(this.#stateDirectory, this.#roots);
    const overlooked = isBusy ? atPlace : [];
    const moved = missing.filter(({ identity, seenAt }) => identityAt(seenAt) === identity);
    const lost = missing.filter((place) => !moved.includes(place));
    const search = lost.length === 0 ? nothing : await this.#search(lost);
    const found = new Set(search.found.map(({ identity }) => identity));
    const unseen = isBusy ? lost.filter((place) => !found.has(place.identity) && !isGone(place)) : [];
    const displaced = [...moved, ...search.found].toSorted((a, b) => a.seenAt.length - b.seenAt.length);
    const atTheirPlace = [...this.#places.values()].filter(
      ({ identity }) => !missing.some((each) => each.identity === identity),
    );
    this.#keep([...atTheirPlace, ...search.hidden, ...unseen, ...displaced, ...present.values()]);
    return { moved: displaced, overlooked, unseen, shut: search.shut };
  }

  async #search(lost: readonly KnownPlace[]): Promise<Search> {
    const { paths, shut, isWhole } = await findIdentities(this.#roots, new Set(lost.map(({ identity }) => identity)));
    const unseen = lost.find(({ identity }) => !paths.has(identity));
    if (!isWhole && unseen !== undefined) {
      const text = `${JSON.stringify(unseen.path)} is protected, was moved, and cannot be found: the workspace has too many folders, or deeper ones than any path leads to.`;
      const files = this.#roots.map((root) => JSON.stringify(this.#file(root))).join(", ");
      const hint = `Move it back; or, when it is gone for good, delete what is remembered of it: ${files}.`;
      throw new AppError("sandbox.layout", text, { hint });
    }
    const found = lost.flatMap((place) => {
      const seenAt = paths.get(place.identity);
      return seenAt === undefined ? [] : [{ ...place, seenAt }];
    });
    const hidden = shut.length === 0 ? [] : lost.filter(({ identity }) => !paths.has(identity));
    return { found, hidden, shut: hidden.length === 0 ? [] : shut };
  }

  #keep(places: readonly KnownPlace[]): void {
    const next = new Map(places.slice(-maxKnownPlaces).map((place) => [place.identity, place]));
    const isSame =
      next.size === this.#places.size &&
      [...next].every(([identity, place]) => {
        const known = this.#places.get(identity);
        return (
          known?.path === place.path &&
          known.seenAt === place.seenAt &&
          known.type === place.type &&
          known.folder?.inode === place.folder?.inode
        );
      });
    this.#places = next;
    if (isSame) return;
    mkdirSync(join(this.#stateDirectory, "known"), { recursive: true, mode: 0o700 });
    for (const root of this.#roots) writePlaces(this.#file(root), [...next.values()]);
  }

  #placeOf({ path, type }: Mount): readonly KnownPlace[] {
    const identity = identityAt(path);
    if (identity === undefined) return [];
    const known = this.#places.get(identity);
    const folder = known?.path === path && known.folder !== undefined ? known.folder : folderWith(path, identity);
    return [{ identity, path, seenAt: path, type, ...(folder === undefined ? {} : { folder }) }];
  }

  #file(root: string): string {
    return join(this.#stateDirectory, "known", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`);
  }
}

function isGone({ identity, path, folder }: KnownPlace): boolean {
  return folder !== undefined && wasTakenOut(path, identity, folder);
}

/** Under another name first: another process may read at this moment. */
function writePlaces(file: string, places: readonly KnownPlace[]): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(places), { mode: 0o600 });
  renameSync(fresh, file);
}

function readPlaces(file: string): readonly KnownPlace[] {
  try {
    const places: JsonValue = JSON.parse(readSmallFile(file, maxKnownBytes) ?? "[]");
    return Array.isArray(places) ? places.flatMap(readPlace) : [];
  } catch {
    // Nothing else writes it: it was damaged, and starts over.
    return [];
  }
}

function readPlace(value: JsonValue): readonly KnownPlace[] {
  if (!isJsonObject(value)) return [];
  const { identity, path, seenAt, type } = value;
  const folder = readFolder(value["folder"]);
  if (typeof identity !== "string" || typeof path !== "string" || typeof seenAt !== "string") return [];
  if (type !== "pinned" && type !== "read-only" && type !== "closed") return [];
  return [{ identity, path, seenAt, type, ...(folder === undefined ? {} : { folder }) }];
}

function readFolder(value: JsonValue | undefined): FolderIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const { device, inode, born } = value;
  if (typeof device !== "string" || typeof inode !== "string" || typeof born !== "string") return undefined;
  return { device, inode, born };
}
