import { isJsonObject } from "@capstan/protocol";

/** What stands before the text of a Markdown file, between lines of `---`. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** What is wrong with it; absent: nothing. */
  readonly problem?: string;
}

/** Nodes that aliases may repeat: front matter has no use for any. */
const maxAliases = 4;

/**
 * Reads the front matter of a file. People write descriptions with colons in them, which YAML forbids: where it cannot be read as it
 * stands, such lines are read as plain text. The parser is loaded on first use.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const whole = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const parts = /^---[ \t]*\n([\s\S]*?\n)??---[ \t]*(?:\n([\s\S]*))?$/.exec(whole);
  if (parts === null) return { fields: {}, body: whole.trim() };
  const [, front = "", body = ""] = parts;
  const { parseDocument } = await import("./yaml-parser.ts");
  const read = (yaml: string): unknown => {
    const document = parseDocument(yaml, { prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) throw new Error(error.message.split("\n")[0]);
    return document.toJS({ maxAliasCount: maxAliases });
  };
  try {
    return { fields: fieldsOf(readTolerantly(front, read)), body: body.trim() };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { fields: {}, body: body.trim(), problem };
  }
}

function readTolerantly(front: string, read: (yaml: string) => unknown): unknown {
  try {
    return read(front);
  } catch (error) {
    const plain = front.replaceAll(
      /^([A-Za-z][\w-]*):[ \t]+([^"'>|[{\s].*)$/gm,
      (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trimEnd())}`,
    );
    if (plain === front) throw error;
    return read(plain);
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
