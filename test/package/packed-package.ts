/** The package as it is published, packed, and projects that install it. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildBundle } from "../../scripts/bundle/build-bundle.ts";
import { buildPackage } from "../../scripts/bundle/build-package.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Of this workspace. */
export const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

/** The registry is asked for the packages with binaries. */
export const setupLimitMs = 10 * 60_000;

export interface PackedPackage {
  /** An empty folder for whoever asked, gone after `remove`. */
  readonly folder: string;
  /** What was packed. */
  readonly packageFolder: string;
  readonly tarball: string;
  remove(): void;
}

/** Builds and packs what is published. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-package-")));
  const packageFolder = join(folder, "package");
  await run(process.execPath, [compiler, "-b", "tsconfig.json"], { cwd: root });
  await buildPackage(root, await buildBundle(root, join(folder, "dist")), packageFolder);
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: packageFolder });
  const tarball = join(folder, packed.stdout.trim());
  return { folder, packageFolder, tarball, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Installs packages into a project: paths of tarballs, or names with exact versions. */
export async function installInto(project: string, ...packages: readonly string[]): Promise<void> {
  mkdirSync(project, { recursive: true });
  const install = ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  await run("npm", [...install, ...packages], { cwd: project });
}

export interface Rehearsing {
  readonly url: string;
  close(): Promise<void>;
}

/** `capstan rehearse` of the package that a project has installed. */
export async function rehearseIn(project: string, scenario: string): Promise<Rehearsing> {
  const capstan = join(project, "node_modules", ".bin", "capstan");
  const child = spawn(capstan, ["rehearse", scenario], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGINT");
    await exited;
  };
  let text = "";
  for await (const piece of child.stdout.setEncoding("utf8")) {
    text += String(piece);
    const url = / at (http:\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return { url, close };
  }
  throw new Error(`capstan rehearse did not begin: ${text}`);
}
