import { inertLine } from "@capstan/patterns";
import { isJsonObject, type JsonObject, type JsonValue, type Question } from "@capstan/protocol";
import { maxAskedLength, maxChoiceLength, maxChoices, maxFieldLength, maxFields } from "../limits.ts";

/** A field of a form as a user is asked for it, and what their words mean for the server. */
interface FormField {
  readonly name: string;
  readonly question: Question;
  /** @returns `undefined`: left out. @throws Error what is wrong with it */
  read(words: readonly string[]): JsonValue | undefined;
}

/** A form of a server. */
export interface ServerForm {
  readonly questions: readonly Question[];
  /** @throws Error what does not fit, for the user */
  read(answers: readonly (readonly string[])[]): JsonObject;
}

const leaveOut = "(leave it out)";

/**
 * A form as questions of a session.
 * @param message  what the server says about it
 * @throws Error why nobody is asked this
 */
export function formQuestions(message: string, schema: JsonObject): ServerForm {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (properties.length > maxFields) throw new Error(`a form has at most ${maxFields} fields`);
  const secret = properties.find(([name, field]) => wantsSecret(name, field));
  if (secret !== undefined) throw new Error(`no user is asked for a secret (${inertLine(secret[0], maxFieldLength)})`);
  const fields = properties.map(([name, field]) =>
    toField(name, isJsonObject(field) ? field : {}, required.includes(name)),
  );
  const said = inertLine(message, maxAskedLength);
  const questions =
    fields.length === 0
      ? [{ question: said, options: [{ label: "Accept" }, { label: "Decline" }], multiple: false }]
      : fields.map(({ question }, at) =>
          at === 0 ? { ...question, question: `${said}: ${question.question}` } : question,
        );
  return {
    questions,
    read(answers) {
      if (fields.length === 0 && answers[0]?.[0] === "Decline") throw new Error("declined");
      const given = fields.map((field, at) => [field.name, field.read(answers[at] ?? [])] as const);
      return Object.fromEntries(given.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
    },
  };
}

/** The protocol forbids servers to ask for secrets in a form. */
function wantsSecret(name: string, field: JsonValue): boolean {
  const words = isJsonObject(field) ? [field["title"], field["format"]] : [];
  const text = [name.replaceAll(/([a-z])([A-Z])/g, "$1 $2"), ...words.filter((word) => typeof word === "string")].join(
    " ",
  );
  return /pass(?:word|phrase|code|wd)|\bpin\b|secret|\btoken\b|api[\s_-]*key|access[\s_-]*key|private[\s_-]*key|credential|\bcvv|\bcvc\b|card[\s_-]*number|\bssn\b|\botp\b/i.test(
    text.replaceAll("_", " "),
  );
}

function toField(name: string, field: JsonObject, isRequired: boolean): FormField {
  const label = textOf(field["title"]) ?? name;
  const about = textOf(field["description"]);
  const words = inertLine(about === undefined ? label : `${label}: ${about}`, maxFieldLength);
  const preset = field["default"];
  const hint =
    preset === undefined ? "" : ` [${inertLine(JSON.stringify(preset), maxChoiceLength)} unless you say otherwise]`;
  const choices = choicesOf(field);
  const isMany = field["type"] === "array";
  const optional = isRequired ? [] : [{ label: leaveOut }];
  const options = choices === undefined ? [] : [...choices.map(({ label: shown }) => ({ label: shown })), ...optional];
  const note = isRequired || choices !== undefined ? "" : ` (optional: "-" leaves it out)`;
  return {
    name,
    question: { question: `${words}${hint}${note}`, options, multiple: isMany },
    read(given) {
      const [first = ""] = given;
      if (!isRequired && (first === leaveOut || first.trim() === "-" || first.trim() === "")) return preset;
      if (choices === undefined) return readText(label, first, field);
      const meant = given.map((word) => choices.find(({ label: shown }) => shown === word)?.value);
      if (meant.some((value) => value === undefined)) throw new Error(`${label}: choose one of what is offered`);
      const values = meant.flatMap((value) => (value === undefined ? [] : [value]));
      return isMany ? values : (values[0] ?? null);
    },
  };
}

interface Choice {
  readonly label: string;
  readonly value: JsonValue;
}

function choicesOf(field: JsonObject): readonly Choice[] | undefined {
  if (field["type"] === "boolean")
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  const holder = field["type"] === "array" && isJsonObject(field["items"]) ? field["items"] : field;
  const titled = [holder["oneOf"], holder["anyOf"]].find((list) => Array.isArray(list));
  const plain = holder["enum"];
  const names = holder["enumNames"];
  const found = Array.isArray(titled)
    ? titled.flatMap((entry: JsonValue) =>
        isJsonObject(entry) && entry["const"] !== undefined ? [[entry["const"], textOf(entry["title"])] as const] : [],
      )
    : Array.isArray(plain)
      ? plain.map((value: JsonValue, at) => [value, Array.isArray(names) ? textOf(names[at]) : undefined] as const)
      : undefined;
  if (found === undefined) return undefined;
  if (found.length > maxChoices) throw new Error(`a field has at most ${maxChoices} choices`);
  const labels = new Set<string>();
  return found.map(([value, title]) => {
    const shown = inertLine(title ?? (typeof value === "string" ? value : JSON.stringify(value)), maxChoiceLength);
    const label = labels.has(shown) ? `${shown} (${labels.size + 1})` : shown;
    labels.add(label);
    return { label, value };
  });
}

function readText(label: string, text: string, field: JsonObject): JsonValue {
  const { type } = field;
  if (type === "number" || type === "integer") return readNumber(label, text, field);
  const { minLength, maxLength, format } = field;
  if (typeof minLength === "number" && text.length < minLength)
    throw new Error(`${label}: at least ${minLength} characters`);
  if (typeof maxLength === "number" && text.length > maxLength)
    throw new Error(`${label}: at most ${maxLength} characters`);
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(text)) throw new Error(`${label}: an e-mail address`);
  if (format === "uri" && !URL.canParse(text)) throw new Error(`${label}: an address such as https://example.com`);
  if ((format === "date" || format === "date-time") && Number.isNaN(Date.parse(text)))
    throw new Error(`${label}: a date such as 2026-11-25`);
  return text;
}

function readNumber(label: string, text: string, { type, minimum, maximum }: JsonObject): number {
  const value = Number(text.trim());
  if (text.trim() === "" || !Number.isFinite(value)) throw new Error(`${label}: a number`);
  if (type === "integer" && !Number.isInteger(value)) throw new Error(`${label}: a whole number`);
  if (typeof minimum === "number" && value < minimum) throw new Error(`${label}: at least ${minimum}`);
  if (typeof maximum === "number" && value > maximum) throw new Error(`${label}: at most ${maximum}`);
  return value;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
