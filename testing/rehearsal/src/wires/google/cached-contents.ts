import { limits } from "../../limits.ts";
import type { ResourceAnswer, ResourceRequest, ResourceStore } from "../wire.ts";
import type { WireProblem } from "../wire-problem.ts";
import { badRequest, firstIssue } from "./check-google-request.ts";
import type { GoogleContent } from "./google-request.ts";
import { type CachedContentRequest, cachedContentSchema } from "./request-schema.ts";

/** A cached content as the server keeps it. `expiresAt`: ms since 1970. */
interface CachedContent extends CachedContentRequest {
  readonly expiresAt: number;
}

/** Under this name the store counts what was made: a name is never given out again. */
const counter = "cachedContents";
const usualTtlSeconds = 3600;
/** As everywhere in this server. */
const bytesPerToken = 4;

/** Serves `cachedContents`: making, reading and deleting one. `undefined`: another path. */
export function serveCachedContents(request: ResourceRequest, store: ResourceStore): ResourceAnswer | undefined {
  const [, name] = /^\/v1(?:beta|alpha)?\/(cachedContents(?:\/[^/]+)?)$/.exec(request.path) ?? [];
  if (name === undefined) return undefined;
  if (name === "cachedContents") return request.method === "POST" ? create(request.body, store) : notAllowed(request);
  const found = findCachedContent(name, store);
  if (found === undefined) return { problem: notFound };
  if (request.method === "GET") return { body: shown(name, found) };
  if (request.method !== "DELETE") return notAllowed(request);
  store.delete(name);
  return { body: {} };
}

/** A cached content that a recorded answer says was made, or taken away. */
export function keepRecordedContent(request: ResourceRequest, answer: string, store: ResourceStore): void {
  const name = /\/(cachedContents\/[^/]+)$/.exec(request.path)?.[1];
  if (request.method === "DELETE" && name !== undefined) store.delete(name);
  const made = /"name":\s*"(cachedContents\/[^"]+)"/.exec(answer)?.[1];
  const parsed = cachedContentSchema.safeParse(request.body);
  if (request.method !== "POST" || !request.path.endsWith("/cachedContents") || made === undefined) return;
  if (parsed.success) store.set(made, { ...parsed.data, expiresAt: Number.POSITIVE_INFINITY } satisfies CachedContent);
}

/** A cached content that lives. */
export function findCachedContent(name: string, store: ResourceStore): CachedContent | undefined {
  const found = store.get(name);
  const entry = isCachedContent(found) ? found : undefined;
  return entry !== undefined && entry.expiresAt > Date.now() ? entry : undefined;
}

/** The contents in a cached content that lives. */
export function contentsIn(name: string, store: ResourceStore): readonly GoogleContent[] | undefined {
  const found = findCachedContent(name, store);
  return found && (found.contents ?? []);
}

const notFound: WireProblem = {
  status: 403,
  type: "PERMISSION_DENIED",
  message: "CachedContent not found (or permission denied)",
};

function isCachedContent(value: unknown): value is CachedContent {
  return value instanceof Object && "expiresAt" in value;
}

function create(body: unknown, store: ResourceStore): ResourceAnswer {
  const parsed = cachedContentSchema.safeParse(body);
  if (!parsed.success) return { problem: badRequest(firstIssue(parsed.error, body)) };
  const { data } = parsed;
  const tokens = Math.floor(JSON.stringify(body).length / bytesPerToken);
  const least = data.model.includes("flash") ? 1024 : 4096;
  if (tokens < least) {
    const message = `Cached content is too small. total_token_count=${tokens}, min_total_token_count=${least}`;
    return { problem: badRequest({ path: [], message }) };
  }
  if (store.size >= limits.keptResources) return { problem: { ...notFound, status: 429, type: "RESOURCE_EXHAUSTED" } };
  const number = Number(store.get(counter) ?? 0) + 1;
  const name = `cachedContents/rehearsal${String(number).padStart(4, "0")}`;
  const ttlSeconds = data.ttl === undefined ? usualTtlSeconds : Number.parseFloat(data.ttl);
  const entry: CachedContent = { ...data, expiresAt: Date.now() + ttlSeconds * 1000 };
  store.set(name, entry);
  store.set(counter, number);
  return { body: { ...shown(name, entry), usageMetadata: { totalTokenCount: tokens } } };
}

function shown(name: string, entry: CachedContent): Readonly<Record<string, string>> {
  return {
    name,
    model: entry.model,
    displayName: entry.displayName ?? "",
    expireTime: new Date(entry.expiresAt).toISOString(),
  };
}

function notAllowed({ method, path }: ResourceRequest): ResourceAnswer {
  return { problem: { status: 405, type: "INVALID_ARGUMENT", message: `${method} ${path}: method not allowed` } };
}
