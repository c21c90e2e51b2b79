import type { BuildOptions } from "esbuild";
import { stateMark } from "../state-mark/state-mark.ts";

/** Packages that carry binaries, which npm chooses for the platform, or load files of their own: they stay in node_modules. */
export const externalPackages: readonly string[] = ["@photostructure/sqlite", "@vscode/ripgrep", "jiti"];

const shared = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["source"],
  mainFields: ["module", "main"],
  external: [...externalPackages],
  chunkNames: "[name]-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  // Names stay: stack traces and error classes are read by people.
  minifyIdentifiers: false,
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "silent",
} as const satisfies BuildOptions;

/** How every build of ours is made. */
export function sharedOptions(root: string): typeof shared & { readonly define: Readonly<Record<string, string>> } {
  return { ...shared, define: { capstanStateMark: JSON.stringify(stateMark(root)) } };
}
