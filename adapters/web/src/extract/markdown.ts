import { maxHeadingLength, maxLinkLength, maxTextLength } from "../limits.ts";
import { isLeftOut } from "./content-of.ts";
import type { Block } from "./page-text.ts";
import type { Element } from "./read-html.ts";

/** Writes the content of a page as blocks of Markdown, in its order. */
export class MarkdownWriter {
  readonly blocks: Block[] = [];
  readonly #base: string;
  /** Inline text that waits for the end of its paragraph. */
  #line = "";
  #length = 0;

  /** @param base  what links start from */
  constructor(base: string) {
    this.#base = base;
  }

  get isFull(): boolean {
    return this.#length > maxTextLength;
  }

  write(element: Element): void {
    this.#children(element);
    this.#endLine();
  }

  #children(element: Element): void {
    for (const child of element.children) {
      if (this.isFull) return;
      if (typeof child === "string") this.#line += child;
      else if (!isLeftOut(child)) this.#element(child);
    }
  }

  #element(element: Element): void {
    const { name } = element;
    if (/^h[1-6]$/.test(name)) {
      this.#endLine();
      this.#add("heading", oneLine(this.#inline(element)).slice(0, maxHeadingLength).toWellFormed());
    } else if (name === "pre") {
      this.#endLine();
      this.#add("whole", codeBlock(rawText(element), languageOf(element)));
    } else if (name === "ul" || name === "ol") {
      this.#endLine();
      this.#add("whole", this.#list(element, 0));
    } else if (name === "table") {
      this.#endLine();
      this.#add("whole", this.#table(element));
    } else if (name === "blockquote") {
      this.#endLine();
      const inner = new MarkdownWriter(this.#base);
      inner.write(element);
      const text = inner.blocks.map((block) => block.text).join("\n\n");
      this.#add("text", text.replaceAll(/^/gm, "> "));
    } else if (inlineNames.has(name)) {
      this.#line += this.#inlineElement(element);
    } else {
      this.#endLine();
      this.#children(element);
      this.#endLine();
    }
  }

  #endLine(): void {
    const text = paragraph(this.#line);
    this.#line = "";
    this.#add("text", text);
  }

  #add(type: Block["type"], text: string): void {
    if (text.trim() === "") return;
    this.#length += text.length;
    this.blocks.push({ type, text });
  }

  /** Everything below as one run of text. */
  #inline(element: Element): string {
    return element.children
      .map((child) => (typeof child === "string" ? child : isLeftOut(child) ? "" : this.#inlineElement(child)))
      .join("");
  }

  #inlineElement(element: Element): string {
    switch (element.name) {
      case "br":
        return hardBreak;
      case "img":
        return imageText(element);
      case "code":
      case "kbd":
      case "samp":
        return codeSpan(oneLine(rawText(element)));
      case "strong":
      case "b":
        return marked(this.#inline(element), "**");
      case "em":
      case "i":
        return marked(this.#inline(element), "*");
      case "a":
        return this.#link(element);
      default:
        return blockNames.has(element.name) ? ` ${this.#inline(element)} ` : this.#inline(element);
    }
  }

  #link(element: Element): string {
    const inner = this.#inline(element);
    const text = oneLine(inner);
    const target = linkTarget(element.attributes["href"], this.#base);
    if (text === "" || target === undefined) return inner;
    const [, before = "", after = ""] = /^(\s*)[^]*?(\s*)$/.exec(inner) ?? [];
    return `${before === "" ? "" : " "}[${text}](${target})${after === "" ? "" : " "}`;
  }

  #list(element: Element, depth: number): string {
    const items = element.children.flatMap((child) => (typeof child === "string" || isLeftOut(child) ? [] : [child]));
    let number = Number(element.attributes["start"] ?? 1) || 1;
    const lines: string[] = [];
    for (const item of items) {
      const nested = item.children.filter((child): child is Element => typeof child !== "string" && isList(child));
      const rest = { ...item, children: item.children.filter((child) => typeof child === "string" || !isList(child)) };
      const mark = element.name === "ol" ? `${number}. ` : "- ";
      number += 1;
      const text = isList(item) ? "" : oneLine(this.#inline(rest));
      if (text !== "") lines.push(`${"  ".repeat(Math.min(depth, maxIndents))}${mark}${text}`);
      for (const list of isList(item) ? [item] : nested) lines.push(this.#list(list, depth + 1));
    }
    return lines.filter((line) => line !== "").join("\n");
  }

  #table(element: Element): string {
    const rows = rowsOf(element).map((row) =>
      row.children.flatMap((cell) =>
        typeof cell !== "string" && (cell.name === "td" || cell.name === "th")
          ? [oneLine(this.#inline(cell)).replaceAll("|", String.raw`\|`)]
          : [],
      ),
    );
    const full = rows.filter((row) => row.some((cell) => cell !== ""));
    const [head] = full;
    if (head === undefined) return "";
    const lines = full.map((row) => `| ${row.join(" | ")} |`);
    return [lines[0] ?? "", `|${" --- |".repeat(head.length)}`, ...lines.slice(1)].join("\n");
  }
}

/** Levels of a list that are shown by room in front. */
const maxIndents = 8;
/** Stands for a line break until blanks are joined; no text has it. */
const hardBreak = "\u0000";

const inlineNames: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

const blockNames: ReadonlySet<string> = new Set(
  "p div section article li dd dt tr td th ul ol dl table h1 h2 h3 h4 h5 h6 blockquote pre figure figcaption".split(
    " ",
  ),
);

function isList({ name }: Element): boolean {
  return name === "ul" || name === "ol";
}

function rowsOf(element: Element): readonly Element[] {
  return element.children.flatMap((child) => {
    if (typeof child === "string" || isLeftOut(child)) return [];
    if (child.name === "tr") return [child];
    return ["thead", "tbody", "tfoot"].includes(child.name) ? rowsOf(child) : [];
  });
}

function rawText(element: Element): string {
  return element.children
    .map((child) =>
      typeof child === "string" ? child : child.name === "br" ? "\n" : isLeftOut(child) ? "" : rawText(child),
    )
    .join("");
}

function languageOf(element: Element): string {
  const named = [element, ...element.children].flatMap((each) =>
    typeof each === "string"
      ? []
      : (/\b(?:language|lang)-([\w+#-]{1,20})/.exec(each.attributes["class"] ?? "")?.[1] ?? []),
  );
  return named[0] ?? "";
}

/** A fence longer than any row of back quotes inside. */
function codeBlock(text: string, language: string): string {
  const code = text.replace(/^\n/, "").replace(/\s+$/, "");
  if (code === "") return "";
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function codeSpan(text: string): string {
  if (text === "") return "";
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function marked(text: string, mark: string): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
  return inner === "" || inner.includes(hardBreak) ? text : `${before}${mark}${inner}${mark}${after}`;
}

function imageText({ attributes }: Element): string {
  const alt = oneLine(attributes["alt"] ?? "");
  return alt === "" ? "" : `[image: ${alt.slice(0, maxHeadingLength).toWellFormed()}]`;
}

/** Where a link of a page leads, when it leads to a page. */
function linkTarget(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  const isPage = url.protocol === "https:" || url.protocol === "http:";
  return isPage && url.href.length <= maxLinkLength ? url.href.replaceAll(")", "%29") : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(hardBreak, " ").replaceAll(/\s+/g, " ").trim();
}

function paragraph(text: string): string {
  return text
    .split(hardBreak)
    .map((line) => oneLine(line))
    .join("\n")
    .trim();
}
