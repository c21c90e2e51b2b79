import { symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { type Attack, outcome } from "../../suite/attack.ts";
import { canary, type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { readNaively } from "../../stage/naive-files.ts";

interface Spelling {
  readonly row: "P1" | "P2";
  readonly name: string;
  readonly path: (place: FilePlace) => string;
}

/** P1, P2: ways to write, or to link, a path that leads out of the workspace. Each is read with every tool that reads. */
export function pathSpellings(): readonly Attack[] {
  return [...spellings, ...links].flatMap((spelling) =>
    readers.map(({ tool, args }): Attack => ({
      row: spelling.row,
      input: `${tool}: ${spelling.name}`,
      attempt: async () =>
        inFilePlace(async (place) => {
          const text = textOf(await place.call(tool, args(spelling.path(place))));
          return outcome(text.includes(canary), text.split("\n")[0] ?? "");
        }),
      control: async () =>
        inFilePlace(async (place) => {
          const text = readNaively(place.cwd, spelling.path(place));
          return outcome(text.includes(canary), "read by name");
        }),
    })),
  );
}

const readers = [
  { tool: "read_file", args: (path: string) => ({ path }) },
  { tool: "search", args: (path: string) => ({ pattern: "CANARY", path }) },
] as const;

const spellings: readonly Spelling[] = [
  spell("a parent", () => "../secret.txt"),
  spell("a parent of a folder that is not there", () => "no/such/../../../secret.txt"),
  spell("a parent behind a dot", () => "./././../secret.txt"),
  spell("a parent behind doubled slashes", () => ".//..//secret.txt"),
  spell("a sibling that begins with the workspace's name", () => "../ws_evil/secret.txt"),
  spell("the same, absolute", ({ base }) => join(base, "ws_evil", "secret.txt")),
  spell("an absolute path", ({ secret }) => secret),
  spell("an absolute path with a parent in it", ({ cwd }) => `${cwd}/../secret.txt`),
  spell("an absolute path with doubled slashes", ({ secret }) => secret.replaceAll("/", "//")),
  spell("a backslash", () => "..\\secret.txt"),
  spell("mixed slashes", () => "..\\ws_evil/secret.txt"),
  spell("a file URL", ({ secret }) => `file://${secret}`),
  spell("percent signs", () => "%2e%2e/secret.txt"),
  spell("percent signs for the slash", () => "..%2fsecret.txt"),
  spell("a NUL at the end", () => "../secret.txt\0.md"),
  spell("a trailing blank", () => "../secret.txt "),
  spell("full-width dots", () => "．．/secret.txt"),
  spell("through /proc/self/cwd", ({ cwd }) => `/proc/self/root${cwd}/../secret.txt`),
  spell("through /proc/self/root", ({ secret }) => `/proc/self/root${secret}`),
  spell("through another process's root", ({ secret }) => `/proc/${process.ppid}/root${secret}`),
];

const links: readonly Spelling[] = [
  link("a link to a file", ({ secret, cwd }) => put(cwd, "link.txt", secret)),
  link("a link to a folder on the way", ({ base, cwd }) => join(put(cwd, "dir", join(base, "outside")), "secret.txt")),
  link("a link that climbs", ({ cwd }) => put(cwd, "up.txt", "../secret.txt")),
  link("a chain of links", ({ secret, cwd }) => {
    put(cwd, "chain-0", secret);
    for (let step = 1; step <= 20; step += 1) put(cwd, `chain-${step}`, `chain-${step - 1}`);
    return "chain-20";
  }),
  link("a link to /proc/self/root", ({ secret, cwd }) => join(put(cwd, "root", "/proc/self/root"), secret)),
  link("a link with a harmless name", ({ secret, cwd }) => put(cwd, "README.md", secret)),
];

function spell(name: string, path: Spelling["path"]): Spelling {
  return { row: "P1", name, path };
}

function link(name: string, path: Spelling["path"]): Spelling {
  return { row: "P2", name, path };
}

function put(cwd: string, name: string, target: string): string {
  symlinkSync(target, join(cwd, name));
  return basename(name);
}
