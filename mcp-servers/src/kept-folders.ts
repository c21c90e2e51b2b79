import { join } from "node:path";
import type { DataDirectory } from "@capstan/settings";

/** Where logins to servers are kept, for their user alone. */
export function loginsFolder({ root }: Pick<DataDirectory, "root">): string {
  return join(root, "mcp-logins");
}

/** Where it is kept what servers' tools said when they were first seen. */
export function pinsFolder({ root }: Pick<DataDirectory, "root">): string {
  return join(root, "mcp");
}
