import { Parser } from "htmlparser2";
import { maxDepth, maxNodes } from "../limits.ts";

/** An element of a page. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

export interface Tree {
  readonly root: Element;
  /** It had more than is taken. */
  readonly isCut: boolean;
}

/** Reads HTML as browsers do, roughly, in linear time: whatever it holds, there is a tree. Comments are no part of it. */
export function readHtml(html: string): Tree {
  const root: Element = { name: "", attributes: {}, children: [] };
  const open: Element[] = [root];
  let nodes = 0;
  let isCut = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        nodes += 1;
        if (nodes > maxNodes) return void (isCut = true);
        const element: Element = { name, attributes, children: [] };
        open.at(Math.min(open.length, maxDepth) - 1)?.children.push(element);
        open.push(element);
      },
      ontext: (text) => {
        nodes += 1;
        if (nodes > maxNodes) return void (isCut = true);
        const { children } = open.at(Math.min(open.length, maxDepth) - 1) ?? root;
        const last = children.length - 1;
        const before = children[last];
        if (typeof before === "string") children[last] = before + text;
        else children.push(text);
      },
      onclosetag: (name) => {
        if (open.at(-1)?.name === name) open.pop();
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return { root, isCut };
}
