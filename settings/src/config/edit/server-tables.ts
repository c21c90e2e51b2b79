import { AppError, isJsonObject, type JsonObject } from "@capstan/protocol";
import { checkValue } from "../check-value.ts";
import { isServerName, serverNameRule } from "../../servers/server-name.ts";
import { nodeAt } from "../keys/key-tree.ts";
import { withoutTable, withTable } from "./edit-tables.ts";
import { editUserFile } from "./edit-user-file.ts";

const group = "mcp_servers";

/** Adds `[mcp_servers.NAME]` to the user's file. @throws AppError `usage.invalid`, `config.invalid`, … */
export async function addServerTable(file: string, name: string, values: JsonObject): Promise<void> {
  if (!isServerName(name)) throw new AppError("usage.invalid", `${JSON.stringify(name)}: ${serverNameRule}`);
  for (const [key, value] of Object.entries(values)) check([group, name, key], value);
  await editUserFile(file, async (text) => await withTable(file, text, { group, name }, values));
}

/** @returns whether it was there */
export async function removeServerTable(file: string, name: string): Promise<boolean> {
  return await editUserFile(file, async (text) => await withoutTable(file, text, { group, name }));
}

function check(path: readonly string[], value: unknown): void {
  const node = nodeAt(path);
  if (node?.type === "table" && isJsonObject(value)) {
    for (const [key, below] of Object.entries(value)) check([...path, key], below);
    return;
  }
  const checked = node?.type === "key" ? checkValue(node.key, value) : undefined;
  if (checked?.type === "fits") return;
  throw new AppError("usage.invalid", `${path.slice(2).join(".")}: ${checked?.problem ?? "there is no such key"}`);
}
