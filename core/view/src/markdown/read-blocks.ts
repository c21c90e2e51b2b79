import { inertLine, inertText } from "@capstan/patterns";
import type { Token, Tokens } from "marked";
import { languageCharacters } from "../limits.ts";
import type { Block, Column, ListItem } from "./block.ts";
import { readSpans } from "./read-spans.ts";

export function readBlocks(tokens: readonly Token[]): readonly Block[] {
  return tokens.flatMap(readBlock);
}

function readBlock(token: Token): readonly Block[] {
  if (isHeading(token)) return [{ type: "heading", level: token.depth, spans: readSpans(token.text) }];
  if (isCode(token)) return [codeBlock(token.lang ?? "", inertText(token.text.replace(/\n$/, "")))];
  if (isQuote(token)) return [{ type: "quote", blocks: readBlocks(token.tokens) }];
  if (isList(token)) return [{ type: "list", start: startOf(token), items: token.items.map(readItem) }];
  if (isTable(token)) return [readTable(token)];
  switch (token.type) {
    case "space":
      return [];
    case "hr":
      return [{ type: "rule" }];
    case "paragraph":
    case "text":
      return paragraph(readSpans("text" in token && typeof token.text === "string" ? token.text : token.raw));
    // HTML, and whatever a later version of the lexer knows.
    default:
      return paragraph([{ type: "text", text: inertText(token.raw.trimEnd()) }]);
  }
}

/** @param text  inert */
export function codeBlock(info: string, text: string): Extract<Block, { type: "code" }> {
  const language = inertLine(info.trim().split(/[\s{]/, 1)[0] ?? "", languageCharacters);
  return { type: "code", language, text };
}

function paragraph(spans: Extract<Block, { type: "paragraph" }>["spans"]): readonly Block[] {
  return spans.length === 0 ? [] : [{ type: "paragraph", spans }];
}

function startOf({ ordered, start }: Tokens.List): number | null {
  return ordered && typeof start === "number" ? start : null;
}

function readItem({ task, checked, tokens }: Tokens.ListItem): ListItem {
  if (!task) return { isDone: null, blocks: readBlocks(tokens) };
  const [first, ...rest] = tokens.filter(({ type }) => type !== "checkbox");
  return { isDone: checked === true, blocks: readBlocks(first === undefined ? [] : [withoutBox(first), ...rest]) };
}

/** Where items stand apart from each other the box is part of the words. */
function withoutBox(token: Token): Token {
  return token.type === "paragraph" || token.type === "text"
    ? { ...token, text: ("text" in token ? String(token.text) : token.raw).replace(/^\[[ xX]\] +/, "") }
    : token;
}

function readTable({ header, align, rows }: Tokens.Table): Block {
  const columns = header.map(({ text }, at): Column => ({ align: align[at] ?? null, head: readSpans(text) }));
  return { type: "table", columns, rows: rows.map((cells) => cells.map(({ text }) => readSpans(text))) };
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

function isQuote(token: Token): token is Tokens.Blockquote {
  return token.type === "blockquote";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}
