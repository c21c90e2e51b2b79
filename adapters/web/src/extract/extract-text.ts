import { maxHeadingLength, maxTextLength } from "../limits.ts";
import { contentOf, visibleLength } from "./content-of.ts";
import { MarkdownWriter } from "./markdown.ts";
import type { Block, PageSource, PageText } from "./page-text.ts";
import { type Element, readHtml } from "./read-html.ts";

/** Makes text of a page. Total: every page has some, be it none. */
export function extractText({ type, text, url }: PageSource): PageText {
  return type === "plain" ? plainText(text) : htmlText(text, url);
}

function htmlText(html: string, url: string): PageText {
  const { root, isCut } = readHtml(html);
  const content = contentOf(root);
  const writer = new MarkdownWriter(baseOf(root, url));
  writer.write(content);
  const title = titleOf(root);
  const language = findAny(root, "html")?.attributes["lang"]?.trim();
  return {
    ...(title === "" ? {} : { title }),
    ...(language === undefined || !/^[\w-]{1,35}$/.test(language) ? {} : { language }),
    blocks: writer.blocks,
    visible: visibleLength(content),
    isCut: isCut || writer.isFull,
  };
}

function plainText(text: string): PageText {
  const taken = text.slice(0, maxTextLength).toWellFormed();
  const blocks = taken
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "")
    .map((block): Block => ({ type: "text", text: block.replace(/\s+$/, "") }));
  return { blocks, visible: taken.replaceAll(/\s+/g, "").length, isCut: taken.length < text.length };
}

function titleOf(root: Element): string {
  const named = [findAny(root, "title"), findAny(root, "h1")].map((element) =>
    element === undefined ? "" : textOf(element).replaceAll(/\s+/g, " ").trim(),
  );
  return (named.find((text) => text !== "") ?? "").slice(0, maxHeadingLength).toWellFormed();
}

/** Also in parts that are left out: a title stands in the head. */
function findAny(root: Element, name: string): Element | undefined {
  if (root.name === name) return root;
  for (const child of root.children) {
    const found = typeof child === "string" || child.name === "svg" ? undefined : findAny(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(element: Element): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

function baseOf(root: Element, url: string): string {
  const href = findAny(root, "base")?.attributes["href"];
  return href !== undefined && URL.canParse(href, url) ? new URL(href, url).href : url;
}
