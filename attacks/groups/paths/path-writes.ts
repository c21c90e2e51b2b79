import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";
import { canary, type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { writeNaively } from "../../stage/naive-files.ts";

/** P2, P5, P9: writes that would land outside, by every tool that writes. */
export function pathWrites(): readonly Attack[] {
  return targets.flatMap((target) =>
    writers.map(({ tool, args }): Attack => ({
      row: target.row,
      input: `${tool}: ${target.name}`,
      attempt: async () =>
        inFilePlace(async (place) => {
          const path = target.path(place);
          // As after a read: what stands in the way must be the place, not that the file was never seen.
          await place.call("read_file", { path });
          const text = textOf(await place.call(tool, args(path)));
          return outcome(isHurt(place), text.split("\n")[0] ?? "");
        }),
      control: async () =>
        inFilePlace(async (place) => {
          writeNaively(place.cwd, target.path(place), "overwritten");
          return outcome(isHurt(place), "written by name");
        }),
    })),
  );
}

function isHurt({ base, secret }: FilePlace): boolean {
  const outside = [secret, join(base, "secret.txt"), join(base, "ws_evil", "secret.txt")];
  return outside.some((file) => readFileSync(file, "utf8") !== `${canary}\n`) || hasNewFile(base);
}

function hasNewFile(base: string): boolean {
  try {
    readFileSync(join(base, "outside", "planted.txt"));
    return true;
  } catch {
    return false;
  }
}

const writers: readonly { readonly tool: string; readonly args: (path: string) => JsonObject }[] = [
  { tool: "write_file", args: (path) => ({ path, content: "overwritten", overwrite: true }) },
  { tool: "edit_file", args: (path) => ({ path, old_string: canary, new_string: "overwritten" }) },
  {
    tool: "apply_patch",
    args: (path) => ({ patch: `LP1\nF ${path}\nR\n${canary}\n.\noverwritten\n.\nEND\n` }),
  },
];

interface Target {
  readonly row: "P1" | "P2" | "P5";
  readonly name: string;
  readonly path: (place: FilePlace) => string;
}

const targets: readonly Target[] = [
  { row: "P1", name: "a parent", path: () => "../secret.txt" },
  { row: "P1", name: "an absolute path", path: ({ secret }) => secret },
  { row: "P1", name: "a sibling that begins with the workspace's name", path: () => "../ws_evil/secret.txt" },
  { row: "P2", name: "a link to a file", path: ({ secret, cwd }) => linked(cwd, "link.txt", secret) },
  {
    row: "P2",
    name: "a link on the way",
    path: ({ base, cwd }) => `${linked(cwd, "dir", join(base, "outside"))}/secret.txt`,
  },
  {
    row: "P2",
    name: "a dangling link that would make a file",
    path: ({ base, cwd }) => linked(cwd, "new.txt", join(base, "outside", "planted.txt")),
  },
  {
    row: "P2",
    name: "a new file in a linked folder",
    path: ({ base, cwd }) => `${linked(cwd, "folder", join(base, "outside"))}/planted.txt`,
  },
  {
    row: "P5",
    name: "a hard link to a file outside",
    path: ({ secret, cwd }) => {
      mkdirSync(join(cwd, "hard"));
      linkSync(secret, join(cwd, "hard", "copy.txt"));
      return "hard/copy.txt";
    },
  },
];

function linked(cwd: string, name: string, target: string): string {
  symlinkSync(target, join(cwd, name));
  return name;
}

/** P8: protected files of the workspace itself, by every tool, under every disguise. */
export function protectedFiles(): readonly Attack[] {
  return protectedNames.flatMap((name) =>
    [
      { tool: "read_file", args: { path: name } },
      { tool: "read_file", args: { path: `./sub/../${name}` } },
      { tool: "search", args: { pattern: "CANARY", path: "." } },
      { tool: "search", args: { pattern: "CANARY", path: name } },
      { tool: "read_file", args: { path: "alias.txt" } },
      { tool: "read_file", args: { path: "twin.txt" } },
    ].map(({ tool, args }): Attack => {
      const steal = async (place: FilePlace): Promise<Outcome> => {
        plant(place, name);
        const text = textOf(await place.call(tool, args));
        return outcome(text.includes(canary), text.split("\n")[0] ?? "");
      };
      return {
        row: "P8",
        input: `${tool} ${JSON.stringify(args)} for ${name}`,
        attempt: async () => inFilePlace(steal),
        control: async () => inFilePlace(steal, { deniedPatterns: [] }),
      };
    }),
  );
}

const protectedNames: readonly string[] = [
  ".env",
  ".env.local",
  "prod.env",
  "deploy/id_rsa",
  "certs/server.pem",
  "certs/server.key",
  ".npmrc",
  ".git-credentials",
];

/** The file, a symbolic and a hard link to it. */
function plant(place: FilePlace, name: string): void {
  const file = place.write(name, `TOKEN=${canary}\n`);
  symlinkSync(file, join(place.cwd, "alias.txt"));
  linkSync(file, join(place.cwd, "twin.txt"));
  writeFileSync(join(place.cwd, "harmless.txt"), "nothing\n");
}
