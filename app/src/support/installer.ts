import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** What put Capstan here, and puts a newer one here: as a command and its arguments. */
export interface Installer {
  readonly name: "npm" | "pnpm" | "yarn" | "bun" | "npx" | "project" | "clone";
  /** Where it is run; absent: anywhere. */
  readonly folder?: string;
  /** As a user would type it. `null`: nothing has to be run. */
  readonly command: readonly string[] | null;
  /** What a user does who has to do it by hand. */
  readonly advice?: string;
}

/**
 * Recognises it by where this program lies.
 * @param program  absolute and real
 * @param wanted  the version, or `latest`
 */
export function installerOf(program: string, wanted: string): Installer {
  const parts = program.split(sep);
  const target = `capstan@${wanted}`;
  if (parts.includes("_npx"))
    return { name: "npx", command: null, advice: `npx keeps no version: \`npx ${target}\` runs the newest.` };
  const at = parts.lastIndexOf("node_modules");
  if (at === -1 || parts[at + 1] !== "capstan") return cloneAt(program);
  if (parts.includes(".bun")) return { name: "bun", command: ["bun", "add", "--global", target] };
  if (parts.some((part) => part === "pnpm" || part === ".pnpm-global"))
    return { name: "pnpm", command: ["pnpm", "add", "--global", target] };
  const above = parts.slice(0, at).join(sep);
  if (above.endsWith(join("yarn", "global"))) return { name: "yarn", command: ["yarn", "global", "add", target] };
  // A project names what it needs; where npm installs for all, no such file stands above.
  return existsSync(join(above, "package.json"))
    ? { name: "project", folder: above, command: ["npm", "install", target] }
    : { name: "npm", command: ["npm", "install", "--global", target] };
}

function cloneAt(program: string): Installer {
  let folder = dirname(program);
  while (!existsSync(join(folder, ".git")) && dirname(folder) !== folder) folder = dirname(folder);
  const isClone = existsSync(join(folder, ".git"));
  return {
    name: "clone",
    ...(isClone ? { folder } : {}),
    command: null,
    advice: isClone
      ? `It was built in ${folder}: git pull && npm ci && npm run build`
      : "Nothing is known of how it came here: install it as you did before.",
  };
}
