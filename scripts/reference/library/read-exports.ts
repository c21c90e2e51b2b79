import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";
import { readLayers } from "../../../test/tidy/layers.ts";
import { sourceFiles } from "../../../test/tidy/source-file.ts";
import { commentIn } from "../json/read-types.ts";

/** A part of an exported class or interface that programs may use. */
export interface Member {
  readonly name: string;
  /** As the source writes it, on one line and without its body. */
  readonly signature: string;
  readonly about: string;
}

/** What a package exports under a name, as its source declares it. */
export interface Exported {
  readonly name: string;
  readonly about: string;
  /** The head of a class or interface, which has members, or the whole declaration. */
  readonly text: string;
  readonly members: readonly Member[];
}

/** What is read of a node of the syntax tree; `start` and `end` are its place in the source. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: Name | null;
  readonly key?: Name;
  readonly declaration?: Node | null;
  readonly body?: (Node & { readonly body: readonly Node[] }) | null;
  readonly value?: Node | null;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly { readonly exported: Name }[];
}

interface Name {
  readonly type: string;
  readonly name: string;
}

/** What an index file passes on, by where it comes from. */
export function passedOn(source: string): readonly { readonly from: string; readonly names: readonly string[] }[] {
  return statementsOf(source).flatMap(({ source: from, specifiers = [] }) =>
    from == null ? [] : [{ from: from.value, names: specifiers.map(({ exported }) => exported.name) }],
  );
}

/** Everything that the sources of these packages export, by name. @param packages  their names */
export function readExports(root: string, packages: readonly string[]): ReadonlyMap<string, Exported> {
  const folders = Object.entries(readLayers(root)).flatMap(([folder, { name }]) =>
    packages.includes(name) ? [`${folder}/src`] : [],
  );
  const paths = folders.flatMap((folder) => sourceFiles(root, folder).map(({ path }) => path));
  return new Map(
    paths
      .filter((path) => !path.endsWith("/index.ts"))
      .flatMap((path) => exportsOf(readFileSync(join(root, path), "utf8")))
      .map((exported) => [exported.name, exported] as const),
  );
}

/** What one source exports. */
export function exportsOf(source: string): readonly Exported[] {
  const statements = statementsOf(source);
  return statements.flatMap((statement, index) => {
    const declared = statement.declaration;
    if (declared?.id == null) return [];
    const about = commentIn(source.slice(statements[index - 1]?.end ?? 0, statement.start));
    const { name } = declared.id;
    const { body } = declared;
    const end = body?.start ?? declared.end;
    const hasMembers = declared.type === "ClassDeclaration" || declared.type === "TSInterfaceDeclaration";
    const members = hasMembers && body != null ? membersOf(source, body) : [];
    return [{ name, about, text: onOneLine(source.slice(declared.start, end)), members }];
  });
}

function membersOf(source: string, { start, body }: Node & { readonly body: readonly Node[] }): readonly Member[] {
  const described = body.flatMap((member, index) => {
    const { key, value } = member;
    if (key === undefined || key.type !== "Identifier") return [];
    const text = source.slice(member.start, value?.body?.start ?? member.end);
    if (/^private\b/.test(text)) return [];
    const about = commentIn(source.slice(body[index - 1]?.end ?? start, member.start));
    const isDeclared = value?.type === "TSEmptyBodyFunctionExpression";
    return [{ name: key.name, signature: onOneLine(text), about, isDeclared }];
  });
  const overloaded = new Set(described.flatMap(({ name, isDeclared }) => (isDeclared ? [name] : [])));
  return described.filter(({ name, isDeclared }) => isDeclared || !overloaded.has(name));
}

function statementsOf(source: string): readonly Node[] {
  const { body }: { readonly body: readonly Node[] } = JSON.parse(JSON.stringify(parseAst(source, { lang: "ts" })));
  return body;
}

function onOneLine(text: string): string {
  return text
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\b(readonly|async) /g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([(<]) (?=\w)|,? (?=[)>])/g, "$1")
    .replaceAll(/= \| /g, "= ")
    .replace(/[;{ ]+$/, "")
    .trim();
}
