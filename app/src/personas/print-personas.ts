import { didYouMean, findPersonas, type Persona } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan personas list`. */
export async function listPersonas({ json = false }: OutputFlags): Promise<number> {
  for (const persona of await personasHere()) {
    const { name, description, from } = persona;
    const where = from === "built-in" ? "" : from === "user" ? " (yours)" : " (this folder)";
    const line = json ? JSON.stringify(persona) : `${name}${where}  ${description}`;
    process.stdout.write(`${inertText(line)}\n`);
  }
  return 0;
}

/** `capstan personas show NAME`: what a model reads, and what it loses. */
export async function showPersona(name: string, { json = false }: OutputFlags): Promise<number> {
  const personas = await personasHere();
  const persona = personas.find((each) => each.name === name);
  if (persona === undefined) {
    const names = personas.map((each) => each.name);
    throw new AppError("usage.invalid", `there is no persona ${JSON.stringify(name)}${didYouMean(name, names)}`, {
      hint: "Try: capstan personas list",
    });
  }
  process.stdout.write(`${inertText(json ? JSON.stringify(persona) : linesOf(persona).join("\n"))}\n`);
  return 0;
}

async function personasHere(): Promise<readonly Persona[]> {
  const { personas, notices } = await findPersonas(await settingsFromFlags({}));
  for (const { text } of notices) process.stderr.write(`capstan: ${inertText(text)}\n`);
  return personas;
}

function linesOf(persona: Persona): readonly string[] {
  const { name, description, file, prompt, tools, withoutTools, priority } = persona;
  return [
    `${name}: ${description}`,
    ...(file === undefined ? [] : [file]),
    ...(persona.extends.length === 0 ? [] : [`extends ${persona.extends.join(", ")}`]),
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    ...(tools === null ? [] : [`only these tools: ${tools.join(", ")}`]),
    ...(withoutTools.length === 0 ? [] : [`without these tools: ${withoutTools.join(", ")}`]),
    "",
    prompt,
  ];
}
