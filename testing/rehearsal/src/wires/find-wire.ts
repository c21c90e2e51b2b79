import type { IncomingHttpHeaders } from "node:http";
import { allWires } from "./all-wires.ts";
import type { Wire } from "./wire.ts";

/** Where a request belongs. */
export interface FoundWire {
  readonly wire: Wire;
  /** A model call of this wire, as far as its path shows. */
  readonly isModelCall: boolean;
}

/** The wire whose model call a path is, else the one whose keys or versions the headers carry. */
export function findWire(target: string, headers: IncomingHttpHeaders): FoundWire {
  const owner = ownerOf(target);
  if (owner !== undefined) return { wire: owner, isModelCall: true };
  const wire = allWires.find((candidate) => candidate.claims(headers)) ?? allWires.at(-1);
  if (wire === undefined) throw new Error("no wire is registered");
  return { wire, isModelCall: false };
}

/**
 * A target as the wire's own server would see it: without what gateways put before it, and with the version that some
 * clients leave out. `/api/v1/chat/completions` and `/chat/completions` are `/v1/chat/completions`.
 */
export function plainTarget(target: string): string {
  const [path = "", ...query] = target.split("?");
  const rest = query.length === 0 ? "" : `?${query.join("?")}`;
  const segments = path.split("/").slice(1);
  for (const at of segments.keys()) {
    const tail = `/${segments.slice(at).join("/")}`;
    const owner = ownerOf(`${tail}${rest}`);
    if (owner !== undefined) return `${owner.paths.includes(tail) ? (owner.paths[0] ?? tail) : tail}${rest}`;
  }
  const version = segments.findIndex((segment) => /^v1(?:beta|alpha)?$/.test(segment));
  return `/${segments.slice(Math.max(0, version)).join("/")}${rest}`;
}

function ownerOf(target: string): Wire | undefined {
  const path = target.split("?")[0] ?? "";
  return allWires.find((wire) => wire.paths.includes(path) || wire.owns?.(target) === true);
}
