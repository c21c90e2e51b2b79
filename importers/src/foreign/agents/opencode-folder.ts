import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError, isJsonObject, type JsonObject } from "@capstan/protocol";
import { maxPieces } from "../../limits.ts";
import { quotePath } from "@capstan/settings";
import { textAt } from "../fields.ts";

/**
 * A session that opencode keeps as a folder of files (`storage/session/<project>/<id>.json`, `message/<id>/`, `part/<message>/`),
 * as the text of its export. Pieces that cannot be read are left out.
 * @param path  the session's own file, or a `storage` folder with one session in it
 * @returns `undefined`: it is neither
 * @throws {AppError} `import.unreadable` when the folder holds several sessions
 */
export async function readOpencodeFolder(path: string): Promise<string | undefined> {
  const file = (await stat(path)).isDirectory() ? await onlySession(path) : path;
  if (file === undefined || !/^ses_\w+\.json$/.test(basename(file))) return undefined;
  const storage = dirname(dirname(dirname(file)));
  const id = basename(file, ".json");
  const infos = await readPieces(join(storage, "message", id));
  if (infos.length === 0) return undefined;
  const messages = await Promise.all(
    infos.map(async (info) => ({ info, parts: await readPieces(join(storage, "part", textAt(info, "id"))) })),
  );
  return JSON.stringify({ info: (await readPiece(file)) ?? { id }, messages });
}

async function onlySession(storage: string): Promise<string | undefined> {
  const root = join(storage, "session");
  const projects = await namesIn(root);
  const found = await Promise.all(
    projects.map(async (project) =>
      (await namesIn(join(root, project)))
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(root, project, name)),
    ),
  );
  const files = found.flat();
  if (files.length <= 1) return files[0];
  throw new AppError("import.unreadable", `${quotePath(storage)} holds ${files.length} sessions`, {
    hint: `Name one of them, for example ${quotePath(files[0] ?? "")}.`,
  });
}

/** In order of their names, which are made of the time. */
async function readPieces(folder: string): Promise<readonly JsonObject[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(".json"));
  const pieces: JsonObject[] = [];
  for (const name of names.toSorted().slice(0, maxPieces)) {
    const piece = await readPiece(join(folder, name));
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

async function readPiece(file: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
