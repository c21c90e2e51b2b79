import { AppError, isJsonObject } from "@capstan/protocol";
import { quotePath } from "@capstan/settings";

/** A parsed YAML file. */
export interface YamlDocument {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `FILE:LINE` of what stands at a path, or of the nearest thing around it. */
  readonly placeOf: (path: readonly (string | number)[]) => string;
}

/** Nodes that aliases may repeat in all: a policy has no use for any, and a hostile file could make billions. */
const maxAliases = 16;

/** Reads a YAML file. The parser is loaded on first use. @throws AppError `config.syntax`, with file, line and column */
export async function readYaml(file: string, text: string): Promise<YamlDocument> {
  const { LineCounter, parseDocument, isNode } = await import("./yaml-parser.ts");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const [reason = ""] = error.message.split("\n");
    throw new AppError("config.syntax", `${quotePath(file)}:${line}:${col}: not valid YAML: ${reason}`, {
      hint: "Correct the line.",
    });
  }
  const placeOf = (path: readonly (string | number)[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const start = isNode(node) ? node.range?.[0] : undefined;
      if (start !== undefined) return `${quotePath(file)}:${lines.linePos(start).line}`;
    }
    return quotePath(file);
  };
  const values = plainValues(file, () => document.toJS({ maxAliasCount: maxAliases }));
  if (values === null || isJsonObject(values)) return { file, values: values ?? {}, placeOf };
  throw new AppError("config.invalid", `${quotePath(file)}: expected names and values, as in \`rules:\``, {});
}

function plainValues(file: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    throw new AppError("config.syntax", `${quotePath(file)}: its aliases repeat more than ${maxAliases} things`, {
      cause,
    });
  }
}
