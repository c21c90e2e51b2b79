import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustClasses } from "@capstan/host";
import { inTrustPlace, type TrustPlace } from "../../stage/trust-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** Makes a trusted folder into something that was never trusted. @returns where the user works then, and the file that is to be loaded */
type Scheme = (place: TrustPlace) => Promise<Loot> | Loot;

interface Loot {
  readonly cwd: string;
  readonly file: string;
}

/** One path of each class that trust can reach. */
const paths: readonly string[] = [
  ...trustClasses.flatMap(({ files, folders }) => [...files, ...folders.map((folder) => `${folder}/a/b`)]),
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
];

const wicked = "# wicked\n";

/** Rows T4 to T9: trust is to reach what nobody trusted. */
export function borrowedTrust(): readonly Attack[] {
  return [
    ...paths.flatMap((path) => [
      attack("T9", `${path} in a folder that nobody trusts`, (place) => lootIn(place, path)),
      attack("T4", `${path} comes after the yes`, async (place) => {
        await place.trust();
        return lootIn(place, path);
      }),
      attack("T4", `one byte of ${path} changes after the yes`, async (place) => {
        place.write(path, "# Wicked\n");
        await place.trust();
        return lootIn(place, path);
      }),
      attack("T5", `${path} of a repository that appears beneath a trusted one`, async (place) => {
        place.write(path, wicked);
        await place.trust();
        mkdirSync(join(place.repository, "deep", "inner", ".git"), { recursive: true });
        const file = place.write(`deep/inner/${path}`, wicked);
        return { cwd: join(place.repository, "deep", "inner"), file };
      }),
    ]),
    ...disguises.map(([input, disguise]) =>
      attack("T6", input, async (place) => {
        place.write("AGENTS.md", wicked);
        await place.trust();
        const cwd = join(place.base, "thief");
        mkdirSync(cwd);
        writeFileSync(join(cwd, "AGENTS.md"), wicked);
        disguise(join(place.repository, ".git"), join(cwd, ".git"));
        return { cwd, file: join(cwd, "AGENTS.md") };
      }),
    ),
    ...replacements.map(([row, input, replace]) =>
      attack(row, input, async (place) => {
        const file = place.write("AGENTS.md", wicked);
        await place.trust();
        return replace(place, file);
      }),
    ),
  ];
}

/** Makes a folder pass for a work tree of a trusted repository. */
const disguises: readonly (readonly [string, (there: string, here: string) => void])[] = [
  ["`.git` is a file that points to a trusted repository", (there, here) => writeFileSync(here, `gitdir: ${there}\n`)],
  [
    "`.git` is a file that points to a work tree of a trusted repository",
    (there, here) => {
      mkdirSync(join(there, "worktrees", "thief"), { recursive: true });
      writeFileSync(join(there, "worktrees", "thief", "commondir"), "../..\n");
      writeFileSync(join(there, "worktrees", "thief", "gitdir"), `${here}\n`);
      writeFileSync(here, `gitdir: ${join(there, "worktrees", "thief")}\n`);
    },
  ],
  ["`.git` is a link to a trusted repository's", (there, here) => symlinkSync(there, here)],
  [
    "`.git/commondir` points to a trusted repository",
    (there, here) => {
      mkdirSync(here);
      writeFileSync(join(here, "commondir"), `${there}\n`);
      writeFileSync(join(here, "gitdir"), `${there}\n`);
    },
  ],
  ["`.git` is missing, and the folder lies beside", () => undefined],
];

const replacements: readonly (readonly [string, string, (place: TrustPlace, file: string) => Loot])[] = [
  [
    "T7",
    "a copy takes the place of a trusted folder",
    ({ base, repository }, file) => {
      const twin = join(base, "twin");
      cpSync(repository, twin, { recursive: true, preserveTimestamps: true });
      renameSync(repository, join(base, "old"));
      renameSync(twin, repository);
      return { cwd: repository, file };
    },
  ],
  [
    "T7",
    "a trusted folder is removed, and made again with the same content",
    ({ repository, write }, file) => {
      rmSync(repository, { recursive: true });
      mkdirSync(join(repository, ".git"), { recursive: true });
      write("AGENTS.md", wicked);
      return { cwd: repository, file };
    },
  ],
  [
    "T8",
    "a link takes the place of a trusted folder",
    ({ base, repository }) => {
      const other = join(base, "other");
      cpSync(repository, other, { recursive: true });
      renameSync(repository, join(base, "old"));
      symlinkSync(other, repository);
      return { cwd: repository, file: join(other, "AGENTS.md") };
    },
  ],
];

function lootIn({ repository, write }: TrustPlace, path: string): Loot {
  return { cwd: repository, file: write(path, wicked) };
}

/** The control says `--trust`: then the file counts. */
function attack(row: string, input: string, scheme: Scheme): Attack {
  const tryOut = (trustOnce: boolean): ReturnType<Attack["attempt"]> =>
    inTrustPlace(async (place) => {
      const { cwd, file } = await scheme(place);
      const { trust } = await place.start({ cwd, trustOnce });
      return outcome(trust.approved.has(file), `trusted by ${trust.by}`);
    });
  return { row, input, attempt: () => tryOut(false), control: () => tryOut(true) };
}
