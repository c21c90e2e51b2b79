import { createHash } from "node:crypto";
import type { PlannedFile, ProposedChanges } from "@capstan/ports";
import type { FileEffect, FileVersion } from "@capstan/protocol";
import { modeOf } from "../files/read-version.ts";
import { versionAt } from "../files/version-at.ts";
import { gitObject } from "../store/git-object.ts";
import { ObjectBatch, type ObjectStore } from "../store/object-store.ts";

/**
 * Keeps what files would become, so that another process can bring them there.
 * @param over  what was proposed before: such a file is changed from what it would be then
 */
export async function proposeFiles(
  store: ObjectStore,
  files: readonly PlannedFile[],
  over: readonly FileEffect[],
): Promise<ProposedChanges> {
  const batch = new ObjectBatch(store);
  const effects: FileEffect[] = [];
  for (const { path, before, after, mode } of files) {
    const earlier = over.findLast((effect) => effect.path === path);
    const stands = earlier === undefined ? await onDisk(path, batch) : await inStore(store, earlier.after);
    if (stands === undefined || stands.sha256 !== before) return { type: "changed", path };
    if (after === null) {
      effects.push({ path, before: stands.version, after: null });
      continue;
    }
    const object = gitObject("blob", Buffer.from(after));
    await batch.add(object);
    const kept = stands.version?.mode === "100755" ? "100755" : "100644";
    const version = { blob: object.id, mode: mode === undefined ? kept : modeOf(mode) };
    effects.push({ path, before: stands.version, after: version });
  }
  await batch.flush();
  return { type: "kept", effects };
}

interface Standing {
  readonly version: FileVersion | null;
  readonly sha256: string | null;
}

/** Kept, too: only what can be brought back is ever overwritten. */
async function onDisk(path: string, batch: ObjectBatch): Promise<Standing | undefined> {
  const found = await versionAt(path);
  if (found.type === "missing") return { version: null, sha256: null };
  if (found.type !== "kept") return undefined;
  await batch.add(found.object);
  return { version: found.version, sha256: sha256(found.object.content) };
}

async function inStore(store: ObjectStore, version: FileVersion | null): Promise<Standing | undefined> {
  if (version === null) return { version: null, sha256: null };
  const object = await store.read(version.blob);
  return object === undefined ? undefined : { version, sha256: sha256(object.content) };
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
