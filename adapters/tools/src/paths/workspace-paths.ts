import { realpathSync } from "node:fs";
import { isAbsolute, parse, relative, resolve } from "node:path";
import { DenyPatterns, isWithin, namesOfPath } from "@capstan/patterns";
import type { Ground, ToolContext } from "@capstan/ports";
import { AppError, type PathUse, ToolRefusal, unreachable, type Workspace } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { below, slashes } from "./containment.ts";
import { followLinks, isKernelPath } from "./follow-links.ts";
import { onGround, type StagedDestination } from "./on-ground.ts";
import { ProtectedLinks } from "./hard-links.ts";
import { hasOddCharacter } from "./inert-text.ts";
import { blocked, denied, invalid, notAFile, notFound, outside } from "./path-refusals.ts";
import { checkPathSyntax, quotedPath } from "./path-syntax.ts";
import { similarNames } from "./similar-names.ts";
import { spillFolder } from "./spill-folder.ts";

/** A path that was checked. What is done with it goes through pinned-file.ts, which trusts `root` and the identity, and no name. */
export interface ResolvedPath {
  /** The real directory that allows the access: a root of the workspace, or the spill directory. */
  readonly root: string;
  /** Below `root`, links resolved, components joined by "/"; empty for the root itself. */
  readonly relative: string;
  /** Absolute, links resolved. */
  readonly real: string;
  /** As people, rules and the model see it: relative to the working directory where it lies inside, else absolute. */
  readonly shown: string;
  readonly kind: "file" | "directory" | "missing";
  readonly access: PathUse["access"];
  /** Device and inode, when there is something on disk. */
  readonly identity?: string;
  /** What a call before this one will have left there; absent: it is as it is on disk. */
  readonly staged?: Buffer;
}

type Access = PathUse["access"];
type PathOptions = Pick<ToolsOptions, "deniedPatterns" | "allowAbsolute" | "spillDirectory">;

/** Turns the paths a model writes into places inside the workspace, or refuses them. */
export class WorkspacePaths {
  readonly #options: PathOptions;
  readonly #denied: DenyPatterns;
  readonly #allowAbsolute: boolean;
  readonly #spillDirectory: string;
  #realSpillDirectory: string | undefined;
  #ground: Ground | undefined;

  /**
   * @param protectedPaths  those of the options, where they were read before
   * @throws {AppError} `config.invalid` for a deny pattern that cannot be read
   */
  constructor(options: PathOptions, protectedPaths: DenyPatterns = readDenied(options)) {
    this.#options = options;
    this.#denied = protectedPaths;
    this.#allowAbsolute = options.allowAbsolute;
    this.#spillDirectory = resolve(options.spillDirectory);
  }

  /** The same places as they will be once what lies over the disk is done. */
  over(ground: Ground | undefined): WorkspacePaths {
    if (ground === undefined) return this;
    const paths = new WorkspacePaths(this.#options, this.#denied);
    paths.#ground = ground;
    return paths;
  }

  /**
   * @param reader  whose kept output may be read; without one nobody's
   * @param requested  as the model wrote it: relative to the working directory, or absolute. `..` is taken textually.
   * @returns the place; `missing` only for access "write"
   * @throws {ToolRefusal} `path.outside`, `path.denied` (denied); `path.invalid`, `path.not-found`, `path.not-a-file` (rejected)
   */
  async resolve(
    workspace: Workspace,
    requested: string,
    access: Access,
    reader?: Pick<ToolContext, "sessionId">,
  ): Promise<ResolvedPath> {
    checkPathSyntax(requested);
    const wanted = resolve(workspace.cwd, requested);
    const spills = reader === undefined ? [] : this.#spillFolders(reader);
    this.#checkAbsolute(workspace, requested, wanted, spills);
    if (isKernelPath(wanted)) throw outside(requested);
    this.#checkDenied(workspace, requested, wanted);
    const destination = onGround(followLinks(wanted, startingPoint(workspace, wanted)), this.#ground);
    const real = realOrRefusal(destination, workspace, requested);
    if (hasOddCharacter(real)) throw invalid(requested, "the place it leads to has control characters in its name.");
    const root = allowingRoot(workspace, spills, real);
    if (root === undefined) throw outside(requested);
    if (spills.includes(root) && access !== "read") throw denied(requested, "output of commands can only be read");
    this.#checkDenied(workspace, requested, real);
    return await this.#describe({ workspace, requested, access, destination, real, root });
  }

  /**
   * The place of a real path that was resolved, and judged, in an earlier process. Nothing is looked up; who reads it walks
   * by descriptor and meets a link as an obstacle.
   * @returns `undefined` when it lies outside the workspace of today, or is protected
   */
  judgedBefore(workspace: Workspace, realPath: string): ResolvedPath | undefined {
    const root = outermost(workspace.roots, realPath);
    if (root === undefined || isKernelPath(realPath) || this.isDenied(workspace, realPath)) return undefined;
    const shown = this.shown(workspace, realPath);
    return { root, relative: below(root, realPath), real: realPath, shown, kind: "file", access: "read" };
  }

  /** Whether a real path is protected; for listings and searches that already know it lies inside. */
  isDenied(workspace: Workspace, realPath: string): boolean {
    return this.#deniedBy(workspace, realPath) !== undefined;
  }

  /** How a real path is written for people, rules and the model. Not made inert: names from the disk may hold anything. */
  shown(workspace: Workspace, realPath: string): string {
    if (!isWithin(workspace.cwd, realPath)) return slashes(realPath);
    return below(workspace.cwd, realPath) || ".";
  }

  async #describe(place: Place): Promise<ResolvedPath> {
    const { workspace, requested, access, destination, real, root } = place;
    const resolved = { root, relative: below(root, real), real, shown: this.shown(workspace, real), access };
    if (destination.type === "staged") {
      if (destination.content === null) return { ...resolved, kind: "directory" };
      if (requested.endsWith("/")) throw notAFile(requested, "it ends with a slash, but names a file");
      return { ...resolved, kind: "file", staged: destination.content };
    }
    if (destination.type !== "found") {
      if (requested.endsWith("/")) throw invalid(requested, "it names a directory that does not exist. Name a file.");
      if (access !== "write") throw notFound(requested, await this.#neighbours(workspace, real));
      return { ...resolved, kind: "missing" };
    }
    const { stats } = destination;
    const identity = `${stats.dev}:${stats.ino}`;
    if (stats.isDirectory()) return { ...resolved, kind: "directory", identity };
    if (!stats.isFile()) throw notAFile(requested, "it is a device, pipe or socket");
    if (requested.endsWith("/")) throw notAFile(requested, "it ends with a slash, but names a file");
    if (await new ProtectedLinks(root, (path) => this.isDenied(workspace, path)).include(stats)) {
      throw denied(requested, "another name of the same file is protected");
    }
    return { ...resolved, kind: "file", identity };
  }

  async #neighbours(workspace: Workspace, real: string): Promise<readonly string[]> {
    const inside = (await similarNames(real)).filter((path) => outermost(workspace.roots, path) !== undefined);
    return inside.map((path) => this.shown(workspace, path));
  }

  #checkAbsolute(workspace: Workspace, requested: string, wanted: string, spills: readonly string[]): void {
    if (this.#allowAbsolute || !isAbsolute(requested)) return;
    if (spills.some((spill) => isWithin(spill, wanted))) return;
    const instead = workspace.roots.some((root) => isWithin(root, wanted))
      ? ` Write ${quotedPath(slashes(relative(workspace.cwd, wanted)) || ".")}.`
      : "";
    throw new ToolRefusal(
      "denied",
      "path.outside",
      `Absolute paths are not accepted: ${quotedPath(requested)}.${instead}`,
    );
  }

  #checkDenied(workspace: Workspace, requested: string, path: string): void {
    const pattern = this.#deniedBy(workspace, path);
    if (pattern !== undefined) throw denied(requested, `it matches the protected pattern ${quotedPath(pattern)}`);
  }

  #deniedBy(workspace: Workspace, path: string): string | undefined {
    // The user put the spill directory where it is; only names inside it are judged.
    const names = isWithin(this.#spillDirectory, path)
      ? [below(this.#spillDirectory, path)]
      : namesOfPath(path, [workspace.cwd, ...workspace.roots]);
    return this.#denied.find(names.map(slashes));
  }

  /** The reader's folder of kept output, as it was named and as it really is. */
  #spillFolders(reader: Pick<ToolContext, "sessionId">): readonly string[] {
    return [this.#findSpillDirectory(), this.#spillDirectory].map((directory) => spillFolder(directory, reader));
  }

  /** Only the user can move it, so that it is looked up until it exists and not again. */
  #findSpillDirectory(): string {
    try {
      this.#realSpillDirectory ??= realpathSync.native(this.#spillDirectory);
    } catch {
      // Not made yet: nothing can lie in it.
    }
    return this.#realSpillDirectory ?? this.#spillDirectory;
  }
}

interface Place {
  readonly workspace: Workspace;
  readonly requested: string;
  readonly access: Access;
  readonly destination: StagedDestination;
  readonly real: string;
  readonly root: string;
}

/** Roots are real by contract, so what lies above one need not be walked; the outermost one, since an inner one may have been moved. */
function startingPoint(workspace: Workspace, wanted: string): string {
  return outermost(workspace.roots, wanted) ?? parse(wanted).root;
}

function outermost(roots: readonly string[], path: string): string | undefined {
  return roots.filter((root) => isWithin(root, path)).toSorted((a, b) => a.length - b.length)[0];
}

function allowingRoot(workspace: Workspace, spills: readonly string[], real: string): string | undefined {
  if (isKernelPath(real)) return undefined;
  return spills.find((spill) => isWithin(spill, real)) ?? outermost(workspace.roots, real);
}

function readDenied({ deniedPatterns }: PathOptions): DenyPatterns {
  const patterns = DenyPatterns.read(deniedPatterns);
  if (!("problem" in patterns)) return patterns;
  throw new AppError("config.invalid", `The deny pattern ${quotedPath(patterns.pattern)}: ${patterns.problem}`);
}

function realOrRefusal(destination: StagedDestination, workspace: Workspace, requested: string): string {
  switch (destination.type) {
    case "found":
    case "staged":
    case "missing":
      return destination.real;
    case "under-file":
      if (outermost(workspace.roots, destination.at) === undefined) throw outside(requested);
      throw notAFile(requested, "a part of it is a file, not a directory");
    case "blocked":
      // What lies outside is never described, not even by how it fails.
      if (outermost(workspace.roots, destination.at) === undefined) throw outside(requested);
      throw blocked(requested, destination.reason);
    default:
      return unreachable(destination);
  }
}
