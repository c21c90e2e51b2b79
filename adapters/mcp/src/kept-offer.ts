import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { maxOfferBytes } from "./limits.ts";
import type { McpServer } from "./mcp-server.ts";
import { writeKept } from "./write-kept.ts";

/** What a server offered when it was last connected to, in its order and its words. */
export interface KeptOffer {
  readonly tools: readonly ServerTool[];
  readonly hasResources: boolean;
}

type OfferingServer = Pick<McpServer, "place" | "enabledTools" | "disabledTools">;

/** Where it is kept; without that file the server is waited for. */
export function offerFile(folder: string, server: string): string {
  return join(folder, `${server}.offered.json`);
}

/**
 * Not believed by itself: whoever takes it compares each tool with its hashes.
 * @returns `null`: nothing is kept of this server, or nothing that can be read
 */
export function readOffer(file: string, server: OfferingServer): KeptOffer | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isJsonObject(value) || value["server"] !== digestOf(server)) return null;
    const { tools, hasResources } = value;
    if (!Array.isArray(tools) || typeof hasResources !== "boolean") return null;
    return { tools: tools.map((tool) => toServerTool(tool)), hasResources };
  } catch {
    return null;
  }
}

/** Keeps it for the next session, where it has changed; one that is too large is waited for each time. */
export function writeOffer(file: string, server: OfferingServer, offer: KeptOffer): void {
  const kept: unknown = JSON.parse(JSON.stringify({ server: digestOf(server), ...offer }));
  if (Buffer.byteLength(JSON.stringify(kept)) > maxOfferBytes) return;
  const before = readOffer(file, server);
  if (before !== null && JSON.stringify({ server: digestOf(server), ...before }) === JSON.stringify(kept)) return;
  writeKept(file, kept);
}

/** Another program or address of the same name is another server, and so is one of which other tools are used. What is secret counts for nothing. */
function digestOf({ place, enabledTools, disabledTools }: OfferingServer): string {
  const plain: JsonObject =
    place.type === "http"
      ? { url: place.url, wire: place.wire }
      : { command: place.command, args: [...place.args], cwd: place.cwd };
  const used: JsonObject = { enabled: enabledTools === null ? null : [...enabledTools], disabled: [...disabledTools] };
  return createHash("sha256")
    .update(canonicalJson({ ...plain, ...used }))
    .digest("hex");
}

/** @throws Error for what is no tool */
function toServerTool(value: JsonValue): ServerTool {
  if (!isJsonObject(value)) throw new Error("not a tool");
  const { name, inputSchema } = value;
  if (typeof name !== "string" || !isJsonObject(inputSchema)) throw new Error("not a tool");
  return { ...value, name, inputSchema: { ...inputSchema, type: "object" } };
}
