import { join } from "node:path";
import type { Quarantine, QuarantinedItem } from "@capstan/sandbox";
import { dataDirectory } from "@capstan/settings";

export type { QuarantinedItem } from "@capstan/sandbox";

type Environment = Readonly<Record<string, string | undefined>>;

/** What commands put where agents, editors or git would have obeyed it: oldest first. */
export async function listQuarantine(env: Environment): Promise<readonly QuarantinedItem[]> {
  return (await open(env)).list();
}

/** Puts it back where it was. @param id  or the beginning of one @throws AppError `quarantine.not-found`, `quarantine.occupied` */
export async function restoreQuarantined(env: Environment, id: string): Promise<QuarantinedItem> {
  return (await open(env)).restore(id);
}

/** Deletes it for good. @param id  or the beginning of one @throws AppError `quarantine.not-found` */
export async function dropQuarantined(env: Environment, id: string): Promise<QuarantinedItem> {
  return (await open(env)).drop(id);
}

async function open(env: Environment): Promise<Quarantine> {
  const { Quarantine: Store } = await import("@capstan/sandbox");
  return new Store(join(dataDirectory(env), "sandbox"));
}
