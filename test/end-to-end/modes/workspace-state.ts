import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What a build may change anywhere. */
const buildNames: ReadonlySet<string> = new Set(["dist", "node_modules", ".eslintcache"]);

/** Every file, folder and link of a workspace, git's own included, with its mode and content; build folders left out. */
export function workspaceState(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => !buildNames.has(name))
    .toSorted()
    .flatMap((name) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      const entry = lstatSync(join(root, path));
      const mode = entry.mode.toString(8);
      if (entry.isDirectory()) return [`${mode} ${path}/`, ...workspaceState(root, path)];
      const content = entry.isSymbolicLink() ? readlinkSync(join(root, path)) : readFileSync(join(root, path));
      return [`${mode} ${path} ${createHash("sha256").update(content).digest("hex")}`];
    });
}
