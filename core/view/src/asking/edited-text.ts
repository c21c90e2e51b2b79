import { type Action, isJsonObject, type JsonObject } from "@capstan/protocol";

/** What of a call a user edits as text, and how the changed text becomes arguments again. */
export interface EditedText {
  readonly text: string;
  /** For the file's name: what an editor should take it for. */
  readonly ending: "sh" | "txt" | "json";
  /** @returns the arguments, or what is wrong with the text */
  readonly read: (text: string) => { readonly arguments: JsonObject } | { readonly problem: string };
}

/** Arguments that are one text by themselves, by the first of these names that the call has. */
const textFields = ["command", "content", "patch", "new_string"] as const;

/** A call's own text where it has one, else all of its arguments as JSON. */
export function editedText({ arguments: args }: Pick<Action, "arguments">): EditedText {
  const field = textFields.find((name) => typeof args[name] === "string");
  const own = field === undefined ? undefined : args[field];
  if (field === undefined || typeof own !== "string") {
    return { text: `${JSON.stringify(args, null, 2)}\n`, ending: "json", read: readJson };
  }
  // Editors end a text with a line end, whether or not it had one.
  const read = (text: string): { readonly arguments: JsonObject } => ({
    arguments: { ...args, [field]: own.endsWith("\n") ? text : text.replace(/\n$/, "") },
  });
  return { text: own, ending: field === "command" ? "sh" : "txt", read };
}

function readJson(text: string): ReturnType<EditedText["read"]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  return isJsonObject(value) ? { arguments: value } : { problem: "The arguments must be a JSON object." };
}
