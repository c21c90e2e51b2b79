import type { JsonObject, ToolDefinition } from "@capstan/protocol";

/** How models of one family are shown our tools. */
export interface ToolProfile {
  /** By our tool's name. A tool that is not named here is shown as it is. */
  readonly forms: Readonly<Record<string, ToolForm>>;
  /** Our tools that these models are not shown, each with the one that does the same, where that is there. */
  readonly hidden: Readonly<Record<string, string>>;
}

/** One of our tools as these models know it. */
export interface ToolForm extends Pick<ToolDefinition, "name" | "description" | "inputSchema" | "freeform"> {
  /** Their names of our fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is more than another name, from their fields to ours, before names are changed; fields of no form stay. */
  readonly toOurs?: (args: JsonObject) => JsonObject;
  /** The way back, after names were changed. */
  readonly toTheirs?: (args: JsonObject) => JsonObject;
}

/** The arguments of a call, in our fields. */
export function inOurFields({ fields, toOurs }: ToolForm, args: JsonObject): JsonObject {
  const ours = new Map(Object.entries(fields).map(([our, their]) => [their, our]));
  return renamed(toOurs?.(args) ?? args, ours);
}

/** The arguments of a call, in their fields. */
export function inTheirFields({ fields, toTheirs }: ToolForm, args: JsonObject): JsonObject {
  const theirs = renamed(args, new Map(Object.entries(fields)));
  return toTheirs?.(theirs) ?? theirs;
}

/** A name that is taken already is not given twice. */
function renamed(args: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const other = names.get(name) ?? name;
      return [other === name || Object.hasOwn(args, other) ? name : other, value];
    }),
  );
}

/** The arguments without some fields, and with others. */
export function changed(args: JsonObject, left: readonly string[], added: JsonObject = {}): JsonObject {
  const kept = Object.entries(args).filter(([name]) => !left.includes(name));
  return { ...Object.fromEntries(kept), ...added };
}

/** The schema of an object with these fields and no others. */
export function fieldsOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

export const text = { type: "string" } as const;
export const flag = { type: "boolean" } as const;
export const count = { type: "integer", minimum: 1 } as const;

export function said(description: string, type: JsonObject = text): JsonObject {
  return { ...type, description };
}

/** What a shell is asked beyond a command: no other agent has a word for it. */
export const reachFields: JsonObject = {
  writes: said("Changes more than build folders", flag),
  network: said("Hosts, such as registry.npmjs.org", { type: "array", items: text }),
  writable: said("Directories outside the workspace", { type: "array", items: text }),
  outside_sandbox: flag,
  justification: said("For outside_sandbox"),
};

export const shellRules =
  "No terminal, no input; what it leaves running ends with the call. In a sandbox it changes only the workspace and /tmp, sees no home directory and has no network; ask for what it needs beyond.";

/** A command as one line for a shell. */
function shellLine(argv: readonly unknown[]): string {
  return argv
    .map(String)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

/** `argv` as `command`, for shells that take lines only. */
export function withCommandLine(args: JsonObject): JsonObject {
  const { argv } = args;
  return Array.isArray(argv) && args["command"] === undefined
    ? changed(args, ["argv"], { command: shellLine(argv) })
    : args;
}
