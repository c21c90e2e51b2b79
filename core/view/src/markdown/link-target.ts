import { inertText } from "@capstan/patterns";
import { addressCharacters } from "../limits.ts";
import type { LinkTarget } from "./block.ts";

/** @param words  what the link says */
export function linkTarget(address: string, words: string): LinkTarget {
  const inert = inertText(address.slice(0, addressCharacters)).replaceAll(/\s/g, "");
  const shown = inertText(words).replaceAll(/\s/g, "");
  const differs = withoutScheme(inert) !== withoutScheme(shown);
  return { address: inert, host: address.length > addressCharacters ? null : hostOf(inert), differs };
}

/** People write addresses without it. */
function withoutScheme(address: string): string {
  return address.replace(/^(?:https?:\/\/|mailto:)/i, "").replace(/\/$/, "");
}

/**
 * The host of a web address, as browsers read it: any number of slashes or backslashes after the scheme, everything before the
 * last `@` is a user's name, and a backslash ends the host as a slash does.
 */
function hostOf(address: string): string | null {
  const authority = /^https?:[/\\]*([^/\\?#]*)/i.exec(address)?.[1];
  if (authority === undefined) return null;
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  return /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{1,5})?$/u.test(host) ? host : null;
}
