import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@capstan/protocol";
import type { Layout } from "../layout/check-layout.ts";
import { entryAt, isWithin, realPathOf } from "../layout/real-path.ts";
import type { ClosedSources } from "./closed-sources.ts";
import { deniedBy } from "./denied-paths.ts";
import { Guard, type GuardPlan } from "./guard.ts";
import { isPlaceholder } from "./hold.ts";
import { guardRepository } from "./repositories.ts";
import { governingNames, type Survey, surveyTree } from "./survey.ts";

export interface Protection {
  readonly plan: GuardPlan;
  /** Of each open folder. */
  readonly surveys: ReadonlyMap<string, Survey>;
}

export interface ProtectionRequest {
  readonly layout: Layout;
  readonly workspace: "read" | "write";
  readonly deniedPatterns: readonly string[];
  readonly closed: ClosedSources;
  readonly isScript: (name: string, path: string) => boolean;
}

/** Works out what in the open folders must not be changed, made or read. Changes nothing. */
export async function planProtection(request: ProtectionRequest): Promise<Protection> {
  const { layout, workspace } = request;
  const changeable = workspace === "write" ? [...layout.roots, ...layout.writable] : layout.writable;
  const guard = new Guard(changeable, (path) => readlinkSync(path));
  const folders = [...layout.roots, ...layout.writable].filter((path) => entryAt(path)?.isDirectory() === true);
  const surveys = await surveyAll(folders, request);
  for (const root of folders.filter((path) => changeable.includes(path))) {
    for (const workTree of surveys.get(root)?.repositories ?? []) {
      if (!isPlaceholder(join(workTree, ".git"))) guardRepository(workTree, changeable, guard);
    }
    guardNames(root, surveys.get(root), guard);
  }
  for (const [root, { denied }] of surveys) for (const path of denied) close(path, { root, guard, request });
  return { plan: guard.plan, surveys };
}

/** Looks through the folders that a program may change, or all that are open to it. */
export async function surveyAll(
  folders: Iterable<string>,
  { deniedPatterns, isScript }: Pick<ProtectionRequest, "deniedPatterns" | "isScript">,
): Promise<ReadonlyMap<string, Survey>> {
  const surveys = new Map<string, Survey>();
  for (const root of folders) {
    surveys.set(root, await surveyTree(root, { isDenied: deniedBy(deniedPatterns, root), isScript }));
  }
  return surveys;
}

function guardNames(root: string, survey: Survey | undefined, guard: Guard): void {
  for (const name of [".git", ...governingNames]) {
    const path = join(root, name);
    if (name !== ".git" || entryAt(path) === undefined || isPlaceholder(path)) guard.readOnlyOrAbsent(path);
  }
  for (const path of survey?.governing ?? []) guard.readOnlyOrAbsent(path);
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
  if (isWithin(root, real)) {
    throw new AppError("sandbox.layout", `${JSON.stringify(path)} is protected, and leads to the workspace itself.`);
  }
  guard.closed(real, entryAt(real)?.isDirectory() === true ? folder : file);
}
