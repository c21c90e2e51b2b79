import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";
import { sourceFiles } from "../../../test/tidy/source-file.ts";

/** What a value must be to be read, as JSON: see `core/protocol/src/versions/fits-shape.ts`. */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };

/** What is read of a node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly id?: Node;
  readonly name?: string;
  readonly key?: Node;
  readonly value?: string | boolean | number;
  readonly literal?: Node;
  readonly optional?: boolean;
  readonly operator?: string;
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly init?: Node | null;
  readonly elements?: readonly Node[];
  readonly exprName?: Node;
  readonly body?: { readonly body: readonly Node[] };
  readonly extends?: readonly Node[];
  readonly expression?: Node;
  readonly members?: readonly Node[];
  readonly types?: readonly Node[];
  readonly elementType?: Node;
  readonly objectType?: Node;
  readonly indexType?: Node;
  readonly typeName?: Node;
  readonly typeArguments?: { readonly params: readonly Node[] } | null;
  readonly typeAnnotation?: Node;
}

const keywords: Readonly<Record<string, Shape>> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSUnknownKeyword: "any",
};

/** Types that are what their text says, whatever stands in their declaration. */
const given: Readonly<Record<string, Shape>> = { JsonObject: "object", JsonValue: "any" };

/** The shapes of these types of a folder's sources, and of all that they name. */
export function readShapes(root: string, folder: string, names: readonly string[]): ReadonlyMap<string, Shape> {
  const declared = new Map(
    sourceFiles(root, folder).flatMap(({ path }) => declarationsIn(readFileSync(join(root, path), "utf8"))),
  );
  const shapes = new Map<string, Shape>();
  const reader = new ShapeReader(declared, (name) => read(name));
  const read = (name: string): void => {
    if (shapes.has(name)) return;
    shapes.set(name, "any");
    shapes.set(name, reader.declared(name));
  };
  for (const name of names) read(name);
  return shapes;
}

const kinds = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "VariableDeclarator"]);

function declarationsIn(source: string): readonly (readonly [string, Node])[] {
  const program: { readonly body: readonly Node[] } = JSON.parse(JSON.stringify(parseAst(source, { lang: "ts" })));
  return program.body.flatMap((statement) => {
    const declaration = statement.declaration ?? statement;
    return (declaration.declarations ?? [declaration]).flatMap((declared) => {
      const name = declared.id?.name;
      return name !== undefined && kinds.has(declared.type) ? [[name, declared] as const] : [];
    });
  });
}

class ShapeReader {
  readonly #declared: ReadonlyMap<string, Node>;
  readonly #named: (name: string) => void;

  /** @param named  is notified of every type that a shape names */
  constructor(declared: ReadonlyMap<string, Node>, named: (name: string) => void) {
    this.#declared = declared;
    this.#named = named;
  }

  declared(name: string): Shape {
    const node = this.#declared.get(name);
    if (node === undefined) throw new Error(`no type ${name} is declared`);
    if (node.type === "TSTypeAliasDeclaration") return this.#shape(node.typeAnnotation);
    const inherited = (node.extends ?? []).map(({ expression }) => this.declared(expression?.name ?? ""));
    return Object.assign({}, ...inherited, this.#members(node.body?.body));
  }

  #shape(node: Node | undefined): Shape {
    const keyword = keywords[node?.type ?? ""];
    if (keyword !== undefined) return keyword;
    switch (node?.type) {
      case "TSLiteralType":
        return literal(node.literal?.value);
      case "TSTypeLiteral":
        return this.#members(node.members);
      case "TSArrayType":
        return ["[]", this.#shape(node.elementType)];
      case "TSTypeOperator":
      case "TSParenthesizedType":
        return this.#shape(node.typeAnnotation);
      case "TSTypeReference":
        return this.#reference(node);
      default:
        return this.#composed(node);
    }
  }

  #composed(node: Node | undefined): Shape {
    const members = node?.types ?? [];
    switch (node?.type) {
      case "TSUnionType":
        return ["|", ...members.map((member) => this.#shape(member))];
      case "TSIntersectionType":
        return Object.assign({}, ...members.map((member) => this.#fields(member)));
      case "TSIndexedAccessType":
        return this.#indexed(node);
      default:
        throw new Error(`a record holds a kind of type that shapes do not have: ${JSON.stringify(node)}`);
    }
  }

  /** `(typeof NAMES)[number]`: one of the names that a list holds. Otherwise the type of a field. */
  #indexed({ objectType, indexType }: Node): Shape {
    if (indexType?.type !== "TSNumberKeyword")
      return this.#fields(objectType)[String(indexType?.literal?.value)] ?? "any";
    const names = this.#declared.get(objectType?.exprName?.name ?? "")?.init?.expression?.elements ?? [];
    return ["|", ...names.map(({ value }) => literal(value))];
  }

  /** Types with parameters are those of the language that choose among what is there; a branded one is a text. */
  #reference({ typeName, typeArguments }: Node): Shape {
    const name = typeName?.name ?? "";
    const [of, other] = typeArguments?.params ?? [];
    if (of === undefined) return this.#byName(name);
    if (name === "Branded") return "string";
    if (name === "Extract" || name === "Exclude") return this.#chosen(of, other, name === "Extract");
    throw new Error(`a record holds a type that shapes do not have: ${name}<…>`);
  }

  #byName(name: string): Shape {
    const known = given[name];
    if (known !== undefined) return known;
    this.#named(name);
    return `@${name}`;
  }

  #chosen(of: Node, other: Node | undefined, isWanted: boolean): Shape {
    const tags = optionsOf(tagOf(this.#shape(other)));
    const options = optionsOf(this.#resolved(of));
    return ["|", ...options.filter((option) => tags.includes(tagOf(option)) === isWanted)];
  }

  #members(members: readonly Node[] = []): Fields {
    return Object.fromEntries(
      members.map(({ key, optional, typeAnnotation }) => [
        `${key?.name ?? String(key?.value)}${optional === true ? "?" : ""}`,
        this.#shape(typeAnnotation?.typeAnnotation),
      ]),
    );
  }

  #fields(node: Node | undefined): Fields {
    const shape = this.#resolved(node);
    if (typeof shape !== "object" || Array.isArray(shape))
      throw new Error("only fields of objects can be put together");
    return Object.fromEntries(Object.entries(shape));
  }

  /** The shape itself, where it is another's name. */
  #resolved(node: Node | undefined): Shape {
    const shape = this.#shape(node);
    return typeof shape === "string" && shape.startsWith("@") ? this.declared(shape.slice(1)) : shape;
  }
}

function literal(value: string | boolean | number | undefined): Shape {
  return typeof value === "string" ? `=${value}` : String(value);
}

type Fields = Readonly<Record<string, Shape>>;

function optionsOf(shape: Shape): readonly Shape[] {
  return Array.isArray(shape) && shape[0] === "|" ? shape.slice(1) : [shape];
}

/** What tells an option from the others: the field `type` of an object, a literal itself. */
function tagOf(shape: Shape): Shape {
  return typeof shape === "object" && !Array.isArray(shape)
    ? (Object.entries(shape).find(([name]) => name === "type")?.[1] ?? "")
    : shape;
}
