import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";
import { sourceFiles } from "../../../test/tidy/source-file.ts";

/** One field of an object. `about`: its comment, empty where it has none. */
export interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  /** As the source writes it, on one line and without `readonly`. */
  readonly type: string;
  readonly about: string;
}

/** One form of a type: an object with its fields, or a type that is written in other words. */
export type Form =
  | { readonly type: "object"; readonly fields: readonly Field[]; readonly about: string }
  | { readonly type: "text"; readonly text: string };

/** A declared type: an object has one form, a union one for each of its members. */
export interface DeclaredType {
  readonly name: string;
  readonly about: string;
  readonly forms: readonly Form[];
}

/** What is read of a node of the syntax tree; `start` and `end` are its place in the source. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly declaration?: Node;
  readonly id?: { readonly name: string; readonly end: number };
  readonly key?: { readonly name: string };
  readonly optional?: boolean;
  readonly body?: Node & { readonly body: readonly Node[] };
  readonly members?: readonly Node[];
  readonly types?: readonly Node[];
  readonly extends?: readonly Node[];
  readonly typeAnnotation?: Node;
}

/** The types that the sources of these folders declare and export, by name. */
export function readTypes(root: string, folders: readonly string[]): ReadonlyMap<string, DeclaredType> {
  const files = folders
    .flatMap((folder) => sourceFiles(root, folder))
    .filter(({ path }) => !path.endsWith("/index.ts"));
  return new Map(
    files.flatMap(({ path }) =>
      typesOf(readFileSync(join(root, path), "utf8")).map((declared) => [declared.name, declared] as const),
    ),
  );
}

/** The exported types of one source. */
export function typesOf(source: string): readonly DeclaredType[] {
  const { body }: { readonly body: readonly Node[] } = JSON.parse(JSON.stringify(parseAst(source, { lang: "ts" })));
  return body.flatMap((statement, index) => {
    const declared = statement.declaration;
    if (declared?.id === undefined) return [];
    const about = commentIn(source.slice(body[index - 1]?.end ?? 0, statement.start));
    if (declared.type === "TSInterfaceDeclaration" && declared.body !== undefined) {
      const fields = fieldsOf(source, declared.body, declared.body.body);
      const inherited = (declared.extends ?? []).map((node) => textForm(source, node));
      return [{ name: declared.id.name, about, forms: [...inherited, { type: "object", fields, about: "" }] }];
    }
    if (declared.type !== "TSTypeAliasDeclaration" || declared.typeAnnotation === undefined) return [];
    return [{ name: declared.id.name, about, forms: formsOf(source, declared.typeAnnotation, declared.id.end) }];
  });
}

/** @param from  where the words about the first form may begin */
function formsOf(source: string, node: Node, from: number): readonly Form[] {
  const members = node.type === "TSUnionType" ? (node.types ?? []) : [node];
  return members.map((member, index) => {
    if (member.type !== "TSTypeLiteral") return textForm(source, member);
    const about = commentIn(source.slice(members[index - 1]?.end ?? from, member.start));
    return { type: "object", fields: fieldsOf(source, member, member.members ?? []), about };
  });
}

function fieldsOf(source: string, { start }: Node, members: readonly Node[]): readonly Field[] {
  return members.flatMap(({ key, optional = false, typeAnnotation, start: at }, index) => {
    const type = typeAnnotation?.typeAnnotation;
    if (key === undefined || type === undefined) return [];
    const about = commentIn(source.slice(members[index - 1]?.end ?? start, at));
    return [{ name: key.name, isOptional: optional, type: plainType(source, type), about }];
  });
}

function textForm(source: string, node: Node): Form {
  return { type: "text", text: plainType(source, node) };
}

/** A type as a reader of JSON needs it: on one line, without comments and marks that mean nothing there. */
function plainType(source: string, { start, end }: Node): string {
  return source
    .slice(start, end)
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([{(]) ?\| /g, "$1 ")
    .replace(/^\| /, "")
    .trim();
}

/** The words of the last comment that documents something. */
export function commentIn(text: string): string {
  const comment = [...text.matchAll(/\/\*\*(.*?)\*\//gs)].at(-1)?.[1] ?? "";
  return comment
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
