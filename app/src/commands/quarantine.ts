import { dropQuarantined, listQuarantine, type QuarantinedItem, restoreQuarantined } from "@capstan/host";
import { visibleText } from "../visible-text.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan quarantine list`: what commands made and agents, editors or git would have obeyed, oldest first. */
export async function listQuarantined(flags: OutputFlags): Promise<number> {
  const items = await listQuarantine(process.env);
  if (flags.json === true) for (const item of items) print(JSON.stringify(jsonOf(item)));
  else if (items.length === 0) print("Nothing is in quarantine.");
  else for (const item of items) print(lineOf(item));
  return 0;
}

/** `capstan quarantine restore ID`: back to where it was. */
export async function restoreItem(id: string, flags: OutputFlags): Promise<number> {
  const item = await restoreQuarantined(process.env, id);
  print(flags.json === true ? JSON.stringify(jsonOf(item)) : `Restored: ${visibleText(item.path)}`);
  return 0;
}

/** `capstan quarantine drop ID`: deleted for good. */
export async function dropItem(id: string, flags: OutputFlags): Promise<number> {
  const item = await dropQuarantined(process.env, id);
  print(flags.json === true ? JSON.stringify(jsonOf(item)) : `Deleted, as it was at ${visibleText(item.path)}`);
  return 0;
}

function lineOf({ id, path, movedAt, kind }: QuarantinedItem): string {
  const when = new Date(movedAt).toISOString().replace("T", " ").slice(0, 16);
  return `${id}  ${when}  ${kind.padEnd(6)}  ${visibleText(path)}`;
}

function jsonOf({ id, path, movedAt, kind, place }: QuarantinedItem): unknown {
  return { id, path, movedAt: new Date(movedAt).toISOString(), kind, place };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
