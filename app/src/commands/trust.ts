import {
  differenceText,
  type AddedTrust,
  addTrust,
  revokeTrust,
  type TrustedFolder,
  trustedFolders,
} from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { visibleText } from "../visible-text.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan trust list`: the folders a user trusts, and whether they are still as they were. */
export async function listTrusted(flags: OutputFlags): Promise<number> {
  const { folders, refused } = await trustedFolders(process.env);
  for (const reason of refused) process.stderr.write(`capstan: ${visibleText(reason)}\n`);
  if (flags.json === true) for (const folder of folders) print(JSON.stringify(folder));
  else if (folders.length === 0) print("No folder is trusted.");
  else for (const folder of folders) print(folderLine(folder));
  return 0;
}

/** `capstan trust add [DIR]`: as it is now, for good. */
export async function addTrusted(directory: string | undefined, flags: OutputFlags): Promise<number> {
  const added = await addTrust(process.env, directory ?? process.cwd());
  if (flags.json === true) print(JSON.stringify(jsonOf(added)));
  else for (const line of addedLines(added)) print(line);
  return 0;
}

/** `capstan trust revoke [DIR]`, or of all folders. */
export async function revokeTrusted(
  directory: string | undefined,
  flags: OutputFlags & { readonly all?: boolean },
): Promise<number> {
  if (flags.all === true && directory !== undefined) {
    throw new AppError("usage.invalid", "--all takes no directory");
  }
  const wanted =
    flags.all === true
      ? (await trustedFolders(process.env)).folders.map((folder) => folder.path)
      : [directory ?? process.cwd()];
  const revoked = wanted.flatMap((path) => revokeTrust(process.env, path) ?? []);
  if (flags.json === true) print(JSON.stringify({ revoked }));
  else if (revoked.length === 0) print("It was not trusted.");
  else for (const path of revoked) print(`Not trusted any more: ${visibleText(path)}`);
  return revoked.length > 0 || flags.all === true ? 0 : 1;
}

function folderLine({ path, trustedAt, files, state }: TrustedFolder): string {
  const when = new Date(trustedAt).toISOString().replace("T", " ").slice(0, 16);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return `${visibleText(path)}  ${when}  ${count}  ${stateTexts[state]}`;
}

const stateTexts: Readonly<Record<TrustedFolder["state"], string>> = {
  trusted: "trusted",
  changed: "changed since: not trusted as it is now",
  replaced: "another folder is there now: not trusted",
  gone: "gone",
};

function addedLines({ folder, files, refused, changed }: AddedTrust): readonly string[] {
  return [
    `Trusted as it is now: ${visibleText(folder)}`,
    ...files.map(({ name, class: className, bytes }) => `  ${visibleText(name)} (${className}, ${bytes.length} bytes)`),
    ...(files.length === 0 ? ["  It brings nothing along; whatever comes will be asked about."] : []),
    ...refused.map(({ name, reason }) => `  ${visibleText(name)} is never loaded: ${reason}`),
    ...changed.flatMap((difference) => [
      `  ${differenceText(difference)}`,
      ...(difference.diff?.lines ?? []).map((line) => `    ${visibleText(line)}`),
    ]),
  ];
}

function jsonOf({ folder, files, refused, changed }: AddedTrust): unknown {
  return {
    folder,
    files: files.map(({ name, class: className, sha256, bytes }) => ({
      name,
      class: className,
      sha256,
      sizeBytes: bytes.length,
    })),
    refused,
    changed,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
