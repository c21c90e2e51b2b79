import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildBundle } from "../scripts/bundle/build-bundle.ts";
import { fillCodeCache } from "../scripts/bundle/fill-code-cache.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The bundled binary's entry, made once for all end-to-end tests. */
    readonly capstanEntry: string;
  }
}

/** Bundles the binary as a release does, into a folder of its own, so that the tests never depend on an earlier build. */
export async function setup(project: Pick<TestProject, "provide">): Promise<() => void> {
  const root = join(import.meta.dirname, "..");
  const folder = mkdtempSync(join(tmpdir(), "capstan-bundle-"));
  // What a clone has around `dist/`: modules by default, and the packages that are not bundled.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { entry } = await buildBundle(root, join(folder, "dist"));
  await fillCodeCache(entry);
  project.provide("capstanEntry", entry);
  return () => rmSync(folder, { recursive: true, force: true });
}
