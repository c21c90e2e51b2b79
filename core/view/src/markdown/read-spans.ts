import { inertText } from "@capstan/patterns";
import type { Token, Tokens } from "marked";
import type { Span } from "./block.ts";
import { inlineTokens } from "./tokens.ts";
import { spanCharacters } from "../limits.ts";
import { decodeEntities } from "./entities.ts";
import { linkTarget } from "./link-target.ts";

/** What stands within the lines of a block. */
export function readSpans(source: string): readonly Span[] {
  return spansOf(partsOf(source).flatMap((part) => inlineTokens(part)));
}

/** Cut after a blank, where there is one. */
function partsOf(source: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < source.length; from += parts.at(-1)?.length ?? source.length) {
    const part = source.slice(from, from + spanCharacters);
    const isWhole = from + part.length === source.length;
    const blank = isWhole ? -1 : part.search(/\s\S*$/);
    parts.push(isWhole ? part : blank > 0 ? part.slice(0, blank + 1) : part.replace(/[\ud800-\udbff]$/, ""));
  }
  return parts;
}

function spansOf(tokens: readonly Token[]): readonly Span[] {
  return tokens.reduce<Span[]>((spans, token) => {
    const span = spanOf(token);
    const last = spans.at(-1);
    if (span.type === "text" && last?.type === "text")
      spans[spans.length - 1] = { ...span, text: last.text + span.text };
    else if (span.type !== "text" || span.text !== "") spans.push(span);
    return spans;
  }, []);
}

/** The tokens that are known are those of `marked`'s own grammar; anything else is what stands in the source. */
function spanOf(token: Token): Span {
  switch (token.type) {
    case "strong":
      return { type: "strong", spans: innerSpans(token) };
    case "em":
      return { type: "emphasis", spans: innerSpans(token) };
    case "del":
      return { type: "strike", spans: innerSpans(token) };
    case "codespan":
      return { type: "code", text: inertText(textOf(token)) };
    case "link":
      return { type: "link", spans: innerSpans(token), target: linkTarget(addressOf(token), textOf(token)) };
    case "image":
      return { type: "image", text: plain(textOf(token)), target: linkTarget(addressOf(token), textOf(token)) };
    case "br":
      return { type: "break" };
    case "escape":
      return { type: "text", text: inertText(textOf(token)) };
    case "text":
      return { type: "text", text: plain(textOf(token)) };
    default:
      return { type: "text", text: inertText(token.raw) };
  }
}

function innerSpans(token: Token): readonly Span[] {
  const inner = "tokens" in token ? token.tokens : undefined;
  return inner === undefined ? [{ type: "text", text: plain(textOf(token)) }] : spansOf(inner);
}

function textOf(token: Token | Tokens.Generic): string {
  const text: unknown = "text" in token ? token.text : undefined;
  return typeof text === "string" ? text : token.raw;
}

function addressOf(token: Token | Tokens.Generic): string {
  const href: unknown = "href" in token ? token.href : undefined;
  return typeof href === "string" ? decodeEntities(href) : "";
}

function plain(text: string): string {
  return inertText(decodeEntities(text));
}
