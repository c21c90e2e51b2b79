import { join } from "node:path";
import { type BuildResult, build, type Plugin } from "esbuild";
import { directImports } from "./direct-imports.ts";
import { sharedOptions } from "./shared-options.ts";

export const entryName = "main.cjs";

/**
 * Bundles the file that is started, as CommonJS: Node starts it sooner than a module, and it knows where it lies.
 * @param outfile  absolute; nothing is written
 * @param scripts  the folder of the program's scripts, seen from where the file lies
 */
export function buildEntry(
  root: string,
  outfile: string,
  scripts: string,
): Promise<BuildResult<{ write: false; metafile: true }>> {
  const options = sharedOptions(root);
  return build({
    ...options,
    absWorkingDir: root,
    outfile,
    format: "cjs",
    define: { ...options.define, capstanFolder: "__dirname", capstanScripts: JSON.stringify(scripts) },
    entryPoints: [join("app", "src", "main.ts")],
    plugins: [loadScripts(root), directImports(root)],
  });
}

/** In the binary, the program comes from its scripts. */
function loadScripts(root: string): Plugin {
  return {
    name: "load-scripts",
    setup(entryBuild) {
      entryBuild.onResolve({ filter: /^\.\/load-program\.ts$/ }, ({ importer }) =>
        importer.endsWith("main.ts") ? { path: join(root, "app", "src", "code-cache", "load-program.ts") } : undefined,
      );
    },
  };
}
