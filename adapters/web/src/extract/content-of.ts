import { minContentLength } from "../limits.ts";
import type { Element } from "./read-html.ts";

/** The part of a page that is about something, the first of these that says enough. */
export function contentOf(root: Element): Element {
  const tests: readonly ((element: Element) => boolean)[] = [
    ({ name }) => name === "main",
    ({ name }) => name === "article",
    ({ attributes }) => attributes["role"] === "main",
    ({ attributes }) => attributes["id"] === "content",
    ({ attributes }) => tokensOf(attributes["class"]).includes("content"),
    ({ name }) => name === "body",
  ];
  for (const test of tests) {
    const found = findElement(root, test);
    if (found !== undefined && visibleLength(found, minContentLength) >= minContentLength) return found;
  }
  return findElement(root, ({ name }) => name === "body") ?? root;
}

/** The first element, in the order of the page, that nobody left out. */
function findElement(root: Element, test: (element: Element) => boolean): Element | undefined {
  if (test(root)) return root;
  for (const child of root.children) {
    const found = typeof child === "string" || isLeftOut(child) ? undefined : findElement(child, test);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether an element is about the site and not the page, is not shown, or is no text. */
export function isLeftOut({ name, attributes }: Element): boolean {
  if (leftOutNames.has(name) || attributes["hidden"] !== undefined || attributes["aria-hidden"] === "true") return true;
  if (leftOutRoles.has(attributes["role"] ?? "")) return true;
  if (
    /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])/i.test(
      attributes["style"] ?? "",
    )
  )
    return true;
  return [attributes["class"], attributes["id"]].some((words) =>
    tokensOf(words).some((token) => boilerplate.has(token)),
  );
}

/** Characters but blanks, counted up to a limit. */
export function visibleLength(element: Element, limit: number = Number.POSITIVE_INFINITY): number {
  let length = 0;
  for (const child of element.children) {
    if (length >= limit) break;
    if (typeof child === "string") length += child.replaceAll(/\s+/g, "").length;
    else if (!isLeftOut(child)) length += visibleLength(child, limit - length);
  }
  return length;
}

function tokensOf(words: string | undefined): readonly string[] {
  return words === undefined ? [] : words.toLowerCase().split(/\s+/);
}

const leftOutNames: ReadonlySet<string> = new Set(
  "script style noscript nav footer header aside form template svg math iframe object embed canvas video audio head select button textarea input".split(
    " ",
  ),
);

const leftOutRoles: ReadonlySet<string> = new Set(
  "navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog".split(" "),
);

const boilerplate: ReadonlySet<string> = new Set(
  "ad ads advert advertisement breadcrumb breadcrumbs cookie cookies cookie-banner cookie-consent footer menu modal nav navbar navigation newsletter popup promo related related-posts share sharing sidebar skip-link social sponsored subscribe".split(
    " ",
  ),
);
