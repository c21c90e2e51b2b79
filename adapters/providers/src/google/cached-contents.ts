import { createHash } from "node:crypto";
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type ModelSettings,
} from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { SideCall } from "../shared/http/side-call.ts";
import { parseJson, textOf } from "../shared/json-fields.ts";
import { numberOption } from "../shared/request/model-option.ts";
import { googleModel } from "./google-model.ts";
import type { GoogleRequest } from "./to-google-body.ts";

/** A prefix the vendor keeps: `count` contents and the prompt need not be sent. */
export interface CachedPrefix {
  readonly name: string;
  readonly count: number;
}

/** What to ask the vendor with. */
export interface CacheCall {
  readonly request: ModelRequest;
  readonly model: ModelSettings;
  readonly parts: GoogleRequest;
  /** Path of the collection, below the base URL. */
  readonly path: readonly string[];
  /** The model's resource name, such as `models/gemini-3-pro-preview`. */
  readonly resource: string;
  readonly sideCall: SideCall;
}

/** One try at keeping a prefix; `name` is missing where the vendor would not. */
interface Entry {
  readonly name: string | undefined;
  readonly count: number;
  /** SHA-256 of the contents that are in it. */
  readonly digest: string;
  readonly tokens: number;
  /** Until then it is relied on, or, after a refusal, not tried again. ms since 1970. */
  readonly until: number;
}

/** Forge's default. */
const usualTtlSeconds = 3600;
/** A rule of thumb; the vendor counts for itself, and refuses what is too short. */
const charsPerToken = 4;
/** A longer prefix takes the place of a kept one once it has this many times its tokens: making it costs its full price. */
const worthwhileGrowth = 1.5;

/**
 * Cached contents of one provider: made for a prefix that is long enough, used while it lives and the conversation still
 * begins with it, made again when it has ended or the conversation has outgrown it. A conversation is cut only where a
 * user speaks, so that calls, their signatures and their responses stay together. Nothing here fails a call: where the
 * vendor will not keep a prefix, the request is sent whole.
 */
export class CachedContents {
  private readonly now: () => number;
  private readonly entries: Map<string, Entry> = new Map();
  private readonly used: WeakMap<ModelRequest, string> = new WeakMap();

  /** @param now  ms since 1970 */
  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** The prefix to ask with; `undefined`: send everything. */
  async find(call: CacheCall): Promise<CachedPrefix | undefined> {
    const key = keyOf(call);
    const kept = this.living(key, call.parts.contents);
    const count = safeCut(call.request);
    const contents = call.parts.contents.slice(0, count);
    const tokens = tokensOf(call.parts.prompt, contents);
    const due = this.isDue(kept, tokens, call.model);
    const chosen = due ? await this.make(key, call, { count, contents, tokens, kept }) : kept;
    if (chosen?.name === undefined) return undefined;
    this.used.set(call.request, key);
    return { name: chosen.name, count: chosen.count };
  }

  /** The vendor no longer knows the prefix a request was sent with. False: it was sent without one. */
  forget(request: ModelRequest): boolean {
    const key = this.used.get(request);
    return key !== undefined && this.entries.delete(key);
  }

  private living(key: string, contents: readonly string[]): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.until <= this.now()) return undefined;
    const same = entry.count < contents.length && digestOf(contents.slice(0, entry.count)) === entry.digest;
    return same ? entry : undefined;
  }

  private isDue(kept: Entry | undefined, tokens: number, model: ModelSettings): boolean {
    if (tokens < googleModel(model.id).leastCachedTokens) return false;
    return kept === undefined || tokens >= kept.tokens * worthwhileGrowth;
  }

  private async make(
    key: string,
    call: CacheCall,
    prefix: Pick<Entry, "count" | "tokens"> & {
      readonly contents: readonly string[];
      readonly kept: Entry | undefined;
    },
  ): Promise<Entry> {
    const ttlSeconds = Math.max(1, Math.floor(numberOption(call.model, "cache_ttl_seconds") ?? usualTtlSeconds));
    const asked = this.now();
    const answer = await call.sideCall(call.path, bodyOf(call, prefix.contents, ttlSeconds), limits.cachedContentMs);
    const name = answer !== undefined && answer.status < 300 ? textOf(answer.body["name"]) : "";
    const { count, tokens, contents, kept } = prefix;
    const made: Entry = {
      name: name === "" ? undefined : name,
      count,
      tokens,
      digest: digestOf(contents),
      until: asked + (name === "" ? limits.cachedContentPauseMs : ttlSeconds * 1000 - limits.cachedContentMarginMs),
    };
    // A refusal to keep more is no reason to give up what is kept; it only counts as its new size.
    const entry = made.name === undefined && kept?.name !== undefined ? { ...kept, tokens } : made;
    this.remember(key, entry);
    return entry;
  }

  private remember(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.entries.set(key, entry);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= limits.cachedContents) break;
      this.entries.delete(oldest);
    }
  }
}

/** One prefix is kept per model, prompt and beginning of a conversation. */
function keyOf({ resource, parts, model }: CacheCall): string {
  return digestOf([model.provider, resource, canonicalJson(parts.prompt), parts.contents[0] ?? ""]);
}

/** How many messages lie before the last one in which a user speaks, so that at least this one is sent. */
function safeCut({ messages }: ModelRequest): number {
  const last = messages.findLastIndex(
    (message) => message.role === "user" && message.content.every((block) => block.type !== "tool-result"),
  );
  return Math.max(0, last);
}

function bodyOf(call: CacheCall, contents: readonly string[], ttlSeconds: number): JsonObject {
  const parsed = contents.map((content): JsonValue => parseJson(content) ?? null);
  return {
    model: call.resource,
    ...call.parts.prompt,
    ...(parsed.length === 0 ? {} : { contents: parsed }),
    ttl: `${ttlSeconds}s`,
  };
}

function tokensOf(prompt: JsonObject, contents: readonly string[]): number {
  const chars = contents.reduce((sum, content) => sum + content.length, JSON.stringify(prompt).length);
  return Math.floor(chars / charsPerToken);
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest("hex");
}
