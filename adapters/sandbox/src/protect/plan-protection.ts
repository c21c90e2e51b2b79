import { basename, dirname } from "node:path";
import { isWithin } from "@capstan/patterns";
import { AppError } from "@capstan/protocol";
import type { CommittedFiles, StampedFiles } from "../committed/committed-files.ts";
import { readLink } from "@capstan/byte-paths";
import type { Layout } from "../layout/check-layout.ts";
import type { Mount } from "../layout/profile.ts";
import { entryAt, realPathOf } from "../layout/real-path.ts";
import type { ClosedSources } from "./closed-sources.ts";
import { deniedBy } from "./denied-paths.ts";
import { Guard, type GuardPlan } from "./guard.ts";
import { type KnownPlace, KnownPlaces } from "./known-places.ts";
import { otherNamesOf } from "./other-names.ts";
import { guardBareRepository, guardRepository } from "./repositories.ts";
import type { TreeMemory } from "./folder-memory.ts";
import { type FolderSurvey, type Survey, surveyTree } from "./survey.ts";

export interface Protection {
  readonly plan: GuardPlan;
  /** Of each open folder. */
  readonly surveys: ReadonlyMap<string, Survey>;
  /** What is and was protected here. */
  readonly known: KnownPlaces;
  /** What of it is not where it was. */
  readonly moved: readonly KnownPlace[];
  /** What of it was not found while commands run that may be moving it: it is covered only where it already was. */
  readonly unseen: readonly KnownPlace[];
  /** Repositories around the roots in which every protected file was found: only these may be read. */
  readonly around: readonly string[];
  /** Protected files that are committed as they are, and so are not closed. */
  readonly released: StampedFiles;
  /** Further names of protected files were not looked for everywhere. */
  readonly isPartial: boolean;
}

export interface ProtectionRequest {
  readonly layout: Layout;
  readonly deniedPatterns: readonly string[];
  /** The working directory and the roots of the workspace. */
  readonly opened: readonly string[];
  readonly closed: ClosedSources;
  /** Where it is kept what was protected before. */
  readonly stateDirectory: string;
  readonly isScript: (name: string, path: string) => boolean;
  /** Of what was found earlier with the same function; without it all is read. */
  readonly memory?: TreeMemory<FolderSurvey>;
  /** Without it, no file is committed. */
  readonly committed?: CommittedFiles;
  /** What stays closed although it is committed. */
  readonly isClosed?: (path: string) => boolean;
}

/** What is looked for in the folders. */
export type Targets = Pick<ProtectionRequest, "deniedPatterns" | "opened" | "isScript" | "memory">;

/** Works out what in the open folders must not be changed, made or read by whoever may change all else in them. Changes nothing. */
export async function planProtection(request: ProtectionRequest): Promise<Protection> {
  const { layout } = request;
  const changeable = [...layout.roots, ...layout.writable];
  const guard = new Guard(changeable, readLink);
  const folders = changeable.filter((path) => entryAt(path)?.isDirectory() === true);
  const surveys = await surveyAll(folders, request);
  for (const survey of surveys.values()) guardChangeable(survey, changeable, guard);
  const around = await surveyAround(request);
  const released = await releasedOf([...surveys.values(), ...around.values()], request);
  for (const [root, { denied }] of [...surveys, ...around]) {
    for (const path of denied) if (!released.has(path)) close(path, { root, guard, request });
  }
  const known = new KnownPlaces(request.stateDirectory, folders);
  const { moved, overlooked, unseen, shut } = await known.locate(guard.plan.mounts, (path) => released.has(path));
  for (const folder of shut) guard.closed(folder, request.closed.folder);
  for (const place of overlooked) coverMoved({ ...place, seenAt: place.path }, { changeable, guard, request });
  for (const place of moved) coverMoved(place, { changeable, guard, request });
  const linked = await otherNamesOf(guard.plan.mounts, [...folders, ...around.keys()]);
  for (const { path, of: covered } of linked.names) coverLike(path, covered, guard, request.closed);
  return {
    plan: guard.plan,
    surveys,
    known,
    moved,
    unseen,
    released,
    around: [...around.keys()],
    isPartial: linked.isPartial,
  };
}

async function releasedOf(
  surveys: readonly Survey[],
  { committed, isClosed }: ProtectionRequest,
): Promise<StampedFiles> {
  const denied = surveys.flatMap((survey) => survey.denied);
  return (await committed?.among(denied.filter((path) => isClosed?.(path) !== true))) ?? new Map();
}

/** What was protected at its old place is protected where it was moved to, although the survey does not look there. */
function coverMoved(
  { seenAt, type }: KnownPlace,
  {
    changeable,
    guard,
    request,
  }: { readonly changeable: readonly string[]; readonly guard: Guard; readonly request: ProtectionRequest },
): void {
  const { file, folder } = request.closed;
  if (type === "closed") guard.closed(seenAt, entryAt(seenAt)?.isDirectory() === true ? folder : file);
  if (!changeable.some((root) => isWithin(root, seenAt))) return;
  if (basename(seenAt) === ".git") guardRepository(dirname(seenAt), changeable, guard);
  if (type === "pinned") guard.pin(seenAt);
  if (type === "read-only") guard.readOnly(seenAt);
}

function guardChangeable({ repositories, bare, governing }: Survey, changeable: readonly string[], guard: Guard): void {
  for (const workTree of repositories) guardRepository(workTree, changeable, guard);
  for (const folder of bare) guardBareRepository(folder, guard);
  for (const path of governing) guard.readOnlyOrAbsent(path);
}

/** The rest of the repositories around the roots; none of which not all was looked at. */
async function surveyAround({
  layout,
  deniedPatterns,
  opened,
  isScript,
  memory,
}: ProtectionRequest): Promise<ReadonlyMap<string, Survey>> {
  const surveys = new Map<string, Survey>();
  for (const top of layout.around ?? []) {
    const targets = { isDenied: deniedBy(deniedPatterns, [...opened, top]), isScript };
    const survey = await surveyTree(top, targets, memory?.of(deniedPatterns, opened, top), layout.roots);
    if (!survey.isPartial) surveys.set(top, survey);
  }
  return surveys;
}

/** Looks through the folders that a program may change, or all that are open to it. */
export async function surveyAll(
  folders: Iterable<string>,
  { deniedPatterns, opened, isScript, memory }: Targets,
): Promise<ReadonlyMap<string, Survey>> {
  const surveys = new Map<string, Survey>();
  for (const root of folders) {
    const targets = { isDenied: deniedBy(deniedPatterns, [...opened, root]), isScript };
    surveys.set(root, await surveyTree(root, targets, memory?.of(deniedPatterns, opened, root)));
  }
  return surveys;
}

/** A hard link is the same file. */
function coverLike(path: string, of: Mount, guard: Guard, { file }: ClosedSources): void {
  if (of.type === "closed") guard.closed(path, file);
  else guard.readOnly(path);
}

interface Closing {
  readonly root: string;
  readonly guard: Guard;
  readonly request: ProtectionRequest;
}

function close(path: string, { root, guard, request }: Closing): void {
  const real = realPathOf(path);
  if (real === undefined) return;
  const { file, folder } = request.closed;
  if (isWithin(real, root)) {
    const text = `${JSON.stringify(path)} is protected, and leads to the workspace itself.`;
    throw new AppError("sandbox.layout", text, { hint: "Remove that link, or give it another name." });
  }
  guard.closed(real, entryAt(real)?.isDirectory() === true ? folder : file);
}
