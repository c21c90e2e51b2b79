import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { type ArgumentAlias, renamed } from "./argument-alias.ts";

const besides = ["context", "default", "default_answer", "timeout_seconds", "timeout", "timeoutMs", "timeout_ms"];

/** How other agents' tools for questions and task lists are called. */
export const askUserAliases: readonly ArgumentAlias[] = [
  { from: ["questions"], overrides: true, convert: (args) => listUnder("questions", args["questions"], question) },
  {
    from: [
      "question",
      "prompt",
      "text",
      "options",
      "choices",
      "multiple",
      "multiSelect",
      "multi_select",
      "header",
      ...besides,
    ],
    convert: (args) => ({ questions: [question(args)] }),
  },
];

export const updatePlanAliases: readonly ArgumentAlias[] = [
  { from: ["plan"], overrides: true, convert: (args) => listUnder("plan", args["plan"], task) },
  {
    from: ["todos", "tasks", "steps", "items", "todo_list"],
    convert: (args, [name = ""]) => listUnder("plan", args[name], task),
  },
  renamed("list", ["list_name", "listName", "task_list", "taskList"]),
  { from: ["merge", "description", "title", "name"], convert: () => ({}) },
];

/** Lists may come as JSON text; what is no list is left for the schema to judge. */
function listUnder(
  field: string,
  value: JsonValue | undefined,
  convert: (item: JsonValue) => JsonValue,
): JsonObject | undefined {
  const list = typeof value === "string" ? parsed(value) : value;
  if (!Array.isArray(list)) return undefined;
  return { [field]: list.map((item: JsonValue) => convert(item)).filter((item) => item !== null) };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return text.trim().startsWith("[") ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // the schema check says what was expected
  }
}

function question(value: JsonValue): JsonValue {
  if (typeof value === "string") return { question: value };
  if (!isJsonObject(value)) return value;
  const words = value["question"] ?? value["prompt"] ?? value["text"];
  const options = value["options"] ?? value["choices"];
  const multiple = value["multiple"] ?? value["multiSelect"] ?? value["multi_select"];
  return {
    ...(words === undefined ? {} : { question: words }),
    ...(Array.isArray(options) ? { options: options.map((item: JsonValue) => option(item)) } : {}),
    ...(typeof multiple === "boolean" ? { multiple } : {}),
    ...besidesOf(value),
  };
}

/** Others count milliseconds. */
function besidesOf(value: JsonObject): JsonObject {
  const { context } = value;
  const usual = value["default"] ?? value["defaultAnswer"] ?? value["default_answer"];
  const milliseconds = value["timeoutMs"] ?? value["timeout_ms"];
  const seconds =
    value["timeout_seconds"] ??
    value["timeout"] ??
    (typeof milliseconds === "number" ? Math.max(1, milliseconds / 1000) : undefined);
  return {
    ...(context === undefined ? {} : { context }),
    ...(usual === undefined ? {} : { default: usual }),
    ...(seconds === undefined ? {} : { timeout_seconds: seconds }),
  };
}

function option(value: JsonValue): JsonValue {
  if (typeof value === "string") return { label: value };
  if (!isJsonObject(value)) return value;
  const label = value["label"] ?? value["value"] ?? value["text"];
  const { description } = value;
  return {
    ...(label === undefined ? {} : { label }),
    ...(typeof description === "string" ? { description } : {}),
  };
}

/** `null` for a step that was given up: it is no longer part of the list. */
function task(value: JsonValue): JsonValue {
  if (typeof value === "string") return { step: value, status: "pending" };
  if (!isJsonObject(value)) return value;
  const step =
    value["step"] ?? value["content"] ?? value["task"] ?? value["title"] ?? value["description"] ?? value["text"];
  const status = statusNamed(value["status"] ?? value["state"]);
  if (status === null) return null;
  return { ...(step === undefined ? {} : { step }), ...(status === undefined ? {} : { status }) };
}

/** A status that nobody knows is left as it came, for the schema to refuse. */
function statusNamed(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return "pending";
  if (typeof value !== "string") return value;
  const folded = value.trim().toLowerCase().replaceAll(/[\s-]/g, "_");
  const known = Object.hasOwn(statuses, folded) ? statuses[folded] : undefined;
  return known === undefined ? value : known;
}

const statuses: Readonly<Record<string, string | null>> = {
  pending: "pending",
  todo: "pending",
  open: "pending",
  not_started: "pending",
  in_progress: "in_progress",
  inprogress: "in_progress",
  active: "in_progress",
  doing: "in_progress",
  started: "in_progress",
  blocked: "blocked",
  on_hold: "blocked",
  waiting: "blocked",
  completed: "completed",
  complete: "completed",
  done: "completed",
  finished: "completed",
  cancelled: null,
  canceled: null,
  skipped: null,
  deleted: null,
};
