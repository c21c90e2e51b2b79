import { inertLine } from "@capstan/patterns";
import { isJsonObject } from "@capstan/protocol";
import { maxDescriptionCharacters, maxNameCharacters, maxNames, maxPromptCharacters } from "./limits.ts";
import { type Deliverable, deliverables, type Identity, isDeliverable, isTrait, traits } from "./identity.ts";
import type { Persona } from "./persona.ts";

/** A field of a persona's file that cannot be meant; its message says which, and what it takes. */
export class WrongField extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/** What a persona's file says; how long and how clean its texts are is looked at here. @throws WrongField */
export function personaOf(fields: Fields, file: Pick<Persona, "from" | "file"> & { readonly stem: string }): Persona {
  const name = textOf(fields, "name") ?? file.stem;
  if (name.length > maxNameCharacters || !/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u.test(name))
    throw new WrongField(`its name ${JSON.stringify(name)} has more than letters, digits, "-", "_", "." and ":"`);
  const description = inertLine(textOf(fields, "description") ?? "", maxDescriptionCharacters);
  if (description === "") throw new WrongField("it has no description");
  const prompt = textOf(fields, "system_prompt") ?? "";
  if (prompt.length > maxPromptCharacters)
    throw new WrongField(`its text has more than ${maxPromptCharacters} characters`);
  return {
    name,
    description,
    version: inertLine(textOf(fields, "version") ?? "1.0.0", maxNameCharacters),
    from: file.from,
    ...(file.file === undefined ? {} : { file: file.file }),
    priority: priorityOf(fields["priority"]),
    extends: namesOf(fields, "extends"),
    prompt,
    ...(fields["identity"] === undefined ? {} : { identity: identityOf(fields["identity"]) }),
    ...toolsOf(fields["tool_permissions"] ?? {}),
  };
}

/** Where a persona would give more than the session has, it gives nothing; where it would forbid what personas cannot, it is refused. */
function toolsOf(permissions: unknown): Pick<Persona, "tools" | "withoutTools"> {
  if (!isJsonObject(permissions)) throw new WrongField("tool_permissions takes enable and disable");
  const commands = namesOf(permissions, "blocked_commands");
  if (commands.length > 0)
    throw new WrongField(
      "tool_permissions.blocked_commands is no part of personas here: permissions.deny forbids commands",
    );
  const enabled = namesOf(permissions, "enable");
  return { tools: enabled.length === 0 ? null : enabled, withoutTools: namesOf(permissions, "disable") };
}

/** What other agents' personas may say, and nothing here reads. The session's mode and rules decide what is asked, its settings the model. */
export function unreadFields(fields: Fields): readonly string[] {
  const permissions = isJsonObject(fields["tool_permissions"]) ? fields["tool_permissions"] : {};
  const given = ["require_edit_confirmation", "require_shell_confirmation"].filter(
    (name) => permissions[name] === true,
  );
  return [...(fields["model"] === undefined ? [] : ["model"]), ...given.map((name) => `tool_permissions.${name}`)];
}

function identityOf(identity: unknown): Identity {
  if (!isJsonObject(identity)) throw new WrongField("identity takes traits, lenses and deliverables");
  const { traits: given = {}, deliverables: wanted = {} } = identity;
  if (!isJsonObject(given)) throw new WrongField(`identity.traits takes ${traits.join(", ")}`);
  if (!isJsonObject(wanted)) throw new WrongField(`identity.deliverables takes ${deliverables.join(", ")}`);
  return {
    traits: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, traitOf(name, value)])),
    lenses: namesOf(identity, "lenses").map((lens) => inertLine(lens, maxNameCharacters)),
    deliverables: Object.entries(wanted).flatMap(([name, value]) => deliverableOf(name, value)),
  };
}

function traitOf(name: string, value: unknown): number {
  if (!isTrait(name)) throw new WrongField(`there is no trait ${JSON.stringify(name)}; there are ${traits.join(", ")}`);
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new WrongField(`identity.traits.${name} takes a number from 0 to 1`);
}

function deliverableOf(name: string, value: unknown): readonly Deliverable[] {
  if (!isDeliverable(name))
    throw new WrongField(`there is no deliverable ${JSON.stringify(name)}; there are ${deliverables.join(", ")}`);
  if (typeof value !== "boolean") throw new WrongField(`identity.deliverables.${name} takes true or false`);
  return value ? [name] : [];
}

function priorityOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new WrongField("priority takes a whole number");
}

function namesOf(fields: Fields, field: string): readonly string[] {
  const value = fields[field] ?? [];
  const names = typeof value === "string" ? value.split(/[\s,]+/).filter((name) => name !== "") : value;
  if (!Array.isArray(names) || names.length > maxNames)
    throw new WrongField(`${field} takes at most ${maxNames} names`);
  return names.map((name: unknown) => {
    if (typeof name === "string" && name.trim() !== "") return name.trim();
    throw new WrongField(`${field} takes names`);
  });
}

function textOf(fields: Fields, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" && typeof value !== "number") throw new WrongField(`${field} takes a text`);
  const text = String(value).trim();
  return text === "" ? undefined : text;
}
