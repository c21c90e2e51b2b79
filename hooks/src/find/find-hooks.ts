import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { ProgramHook } from "@capstan/ports";
import type { Isolation } from "@capstan/protocol";
import type { FoundHooks } from "../found-hook.ts";
import { type HookPlaces, trustedFiles } from "./hook-places.ts";
import { hooksOfFile } from "./hooks-of-file.ts";
import { programHooks } from "./program-hooks.ts";
import { ownHooks } from "./own-hooks.ts";

/**
 * Every hook, in the order in which those of one event run: the user's, the program's, then those of the workspace.
 * @throws AppError `config.invalid` for one of the user's that cannot be meant so, `usage.invalid` for one of the program's
 */
export async function findHooks(
  places: HookPlaces,
  isolation: Isolation,
  ofProgram: readonly ProgramHook[],
): Promise<FoundHooks> {
  const own = [...ownHooks(places), ...programHooks(ofProgram)];
  const brought = await Promise.all(trustedFiles(places).map(async (path) => await read(path, places)));
  const isConfined = isolation.type === "enforced";
  const ofWorkspace = brought
    .flatMap(({ hooks }) => hooks)
    .map((hook) => (isConfined ? hook : { inactive: "hooks of a workspace run in the sandbox only", ...hook }));
  return { hooks: [...own, ...ofWorkspace], problems: brought.flatMap(({ problems }) => problems) };
}

async function read(path: string, { trust }: HookPlaces): Promise<FoundHooks> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const isSame = createHash("sha256").update(bytes).digest("hex") === trust.approved.get(path);
  const shown = relative(trust.folder, path);
  return isSame ? hooksOfFile(bytes.toString("utf8"), path, shown) : { hooks: [], problems: [] };
}
