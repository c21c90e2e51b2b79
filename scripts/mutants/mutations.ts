import { parseAst } from "vitest/node";

/** A small change of a source that a test ought to notice. */
export interface Mutation {
  /** What is replaced: from, and up to. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The line where it begins, from 1. */
  readonly line: number;
  /** The change in words. */
  readonly what: string;
}

/** What is read of a node of the syntax tree (ESTree). */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

type Change = Omit<Mutation, "line">;

const oppositeOf: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "&&": "||",
  "||": "&&",
};

/** Calls that choose or order: without them their list stays as it was. */
const droppable: ReadonlySet<string> = new Set(["filter", "slice", "toSorted", "toReversed", "trim", "at"]);

/**
 * Every change that is tried of a source, in the order of the text. Two kinds are no fault and are not tried: what is awaited only
 * to be returned, outside of any `try`, reaches the caller the same without, and a limit one larger is another limit.
 */
export function mutationsOf(source: string): readonly Mutation[] {
  const found: Change[] = [];
  visit(parseAst(source, { lang: "ts" }), new Set(), (node) => found.push(...changesOf(node, source)));
  return found
    .toSorted((one, other) => one.start - other.start)
    .map((change) => ({
      ...change,
      line: source.slice(0, change.start).split("\n").length,
    }));
}

export function mutated(source: string, { start, end, text }: Mutation): string {
  return source.slice(0, start) + text + source.slice(end);
}

function changesOf(node: SyntaxNode, source: string): readonly Change[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
      return flipped(node["test"], source);
    case "LogicalExpression":
    case "BinaryExpression":
      return swappedOperator(node, source);
    case "UnaryExpression":
      return unnegated(node, source);
    case "Literal":
      return changedConstant(node, source);
    case "AwaitExpression":
      return within(node, node["argument"], source, "no await");
    case "ExpressionStatement":
      return droppedCall(node, source);
    case "CallExpression":
      return droppedChoice(node, source);
    case "FunctionDeclaration":
    case "MethodDefinition":
      return earlyReturn(node, source);
    default:
      return [];
  }
}

function flipped(test: unknown, source: string): readonly Change[] {
  if (!isNode(test)) return [];
  const { start, end } = test;
  return [{ start, end, text: `!(${source.slice(start, end)})`, what: "condition flipped" }];
}

function swappedOperator(node: SyntaxNode, source: string): readonly Change[] {
  const { left, right, operator } = node;
  if (!isNode(left) || !isNode(right) || typeof operator !== "string") return [];
  const opposite = oppositeOf[operator];
  // A sum of texts has no difference.
  const isText = operator === "+" && [left, right].some((side) => /^["'`]/.test(source.slice(side.start, side.end)));
  const start = source.indexOf(operator, left.end);
  if (opposite === undefined || isText || start > right.start) return [];
  return [{ start, end: start + operator.length, text: opposite, what: `${operator} is ${opposite}` }];
}

function unnegated(node: SyntaxNode, source: string): readonly Change[] {
  return node["operator"] === "!" ? within(node, node["argument"], source, "no negation") : [];
}

function changedConstant(node: SyntaxNode, source: string): readonly Change[] {
  const { start, end, value } = node;
  if (typeof value === "boolean") return [{ start, end, text: String(!value), what: `${value} is ${!value}` }];
  if (typeof value !== "number" || !/^[\d_]+$/.test(source.slice(start, end))) return [];
  return [{ start, end, text: String(value + 1), what: `${value} is ${value + 1}` }];
}

function droppedCall(node: SyntaxNode, source: string): readonly Change[] {
  const expression = bare(node["expression"]);
  if (expression?.type !== "CallExpression") return [];
  const { start, end } = node;
  const name = source.slice(start, end).split("(")[0] ?? "";
  return name.endsWith("super") ? [] : [{ start, end, text: ";", what: `no call of ${name}` }];
}

function droppedChoice(node: SyntaxNode, source: string): readonly Change[] {
  const { callee } = node;
  if (!isNode(callee) || callee.type !== "MemberExpression" || !isNode(callee["property"])) return [];
  const name = source.slice(callee["property"].start, callee["property"].end);
  return droppable.has(name) ? within(node, callee["object"], source, `no ${name}`) : [];
}

function earlyReturn(node: SyntaxNode, source: string): readonly Change[] {
  const holder = node.type === "MethodDefinition" ? node["value"] : node;
  const body = isNode(holder) ? holder["body"] : undefined;
  if (!isNode(body) || node["kind"] === "constructor" || source[body.start] !== "{") return [];
  return [{ start: body.start + 1, end: body.start + 1, text: " return;", what: "returns at once" }];
}

/** What is inside takes the place of the whole. */
function within(node: SyntaxNode, inner: unknown, source: string, what: string): readonly Change[] {
  if (!isNode(inner)) return [];
  return [{ start: node.start, end: node.end, text: source.slice(inner.start, inner.end), what }];
}

/** An expression without the `await` or `void` before it. */
function bare(expression: unknown): SyntaxNode | undefined {
  if (!isNode(expression)) return undefined;
  const isWrapped = expression.type === "AwaitExpression" || expression["operator"] === "void";
  return isWrapped ? bare(expression["argument"]) : expression;
}

/** Types say nothing at run time, and imports only names. */
function isSilent({ type }: SyntaxNode): boolean {
  const isExpression = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(type);
  return type === "ImportDeclaration" || (type.startsWith("TS") && !isExpression);
}

/** Where a node stands that makes a change of it no fault. */
type Place = "tried" | "limit";

function visit(value: unknown, places: ReadonlySet<Place>, see: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, places, see);
  } else if (isNode(value) && !isSilent(value)) {
    if (!(places.has("limit") && value.type === "Literal")) see(value);
    const inside = placesInside(value, places);
    const passed = inside.has("tried") ? undefined : returned(value);
    for (const field of Object.values(value)) {
      if (field === passed && passed !== undefined) visit(passed["argument"], inside, see);
      else visit(field, inside, see);
    }
  }
}

function placesInside(node: SyntaxNode, places: ReadonlySet<Place>): ReadonlySet<Place> {
  // A function that is made in a `try` is called elsewhere.
  if (node.type.includes("Function")) return new Set();
  if (node.type === "TryStatement") return new Set([...places, "tried"]);
  const name = node.type === "VariableDeclarator" ? node["id"] : node.type === "Property" ? node["key"] : undefined;
  return isNode(name) && limitName.test(String(name["name"])) ? new Set([...places, "limit"]) : places;
}

/** Names of limits end in their unit. */
const limitName = /(?:Ms|Seconds|Minutes|Hours|Days|Bytes|Kb|Mb|Limit|Limits)$/;

/** The `await` whose result a function gives back as it is. */
function returned(node: SyntaxNode): SyntaxNode | undefined {
  const result = node.type === "ReturnStatement" ? node["argument"] : node["body"];
  const isLast = node.type === "ReturnStatement" || node.type === "ArrowFunctionExpression";
  return isLast && isNode(result) && result.type === "AwaitExpression" ? result : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}
