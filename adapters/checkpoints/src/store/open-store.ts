import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "./durable-file.ts";

/**
 * Makes the folder a bare Git repository that nothing of the user's knows of, unless it is one. Any number of processes may
 * do so at once. Git itself is never run; it can read the store, and never tidies it by itself.
 */
export async function openStore(folder: string): Promise<void> {
  if (existsSync(join(folder, "HEAD"))) return;
  for (const name of ["objects/pack", "refs/heads", "trees"]) {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  }
  await writeDurably(join(folder, "config"), [Buffer.from(config)]);
  await writeFile(join(folder, "README"), readme, { mode: 0o600 });
  // Last, since it says that the others are there.
  await writeDurably(join(folder, "HEAD"), [Buffer.from("ref: refs/heads/none\n")]);
  await syncFolder(join(folder, "objects"));
  await syncFolder(folder);
}

const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

const readme = `Earlier states of the files that Capstan's sessions worked on: a Git object store (look with
"git --git-dir=. cat-file -p ID"). No ref points to them, so do not run "git gc" or "git prune" here: it would delete them.
The whole folder may be deleted when nothing is to be undone any more.
`;
