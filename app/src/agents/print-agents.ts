import { didYouMean, findAgents, type Settings } from "@capstan/host";
import { type Agent, AppError } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan agents list`. */
export async function listAgents({ json = false }: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const { agents, notices } = await findAgents(settings);
  for (const { text } of notices) process.stderr.write(`capstan: ${inertText(text)}\n`);
  for (const agent of agents) print(json ? JSON.stringify(agent) : lineOf(agent));
  for (const line of json ? [] : remarks(settings)) process.stderr.write(`${line}\n`);
  return 0;
}

const places = { "built-in": "", user: " (yours)", workspace: " (this folder)" } as const;

function lineOf({ name, description, from }: Agent): string {
  return `${name}${places[from]}  ${description}`;
}

function remarks({ loaded, trust }: Settings): readonly string[] {
  const brought = trust.ignored.some((place) => place.class === "agents");
  return [
    ...(loaded.values.agents.enabled ? [] : ["No model can call them: agents.enabled is false."]),
    ...(brought ? ["This folder brings agents along; they count once you trust it: capstan trust add"] : []),
  ];
}

/** `capstan agents show NAME`: what its session is instructed with, and which tools it has. */
export async function showAgent(name: string, { json = false }: OutputFlags): Promise<number> {
  const { agents } = await findAgents(await settingsFromFlags({}));
  const agent = agents.find((known) => known.name === name);
  if (agent === undefined) {
    const names = agents.map((known) => known.name);
    throw new AppError("usage.invalid", `there is no agent ${JSON.stringify(name)}${didYouMean(name, names)}`, {
      hint: "Try: capstan agents list",
    });
  }
  print(json ? JSON.stringify(agent) : linesOf(agent).join("\n"));
  return 0;
}

function linesOf({ name, description, from, file, model, tools, skills, prompt }: Agent): readonly string[] {
  return [
    `${name}: ${description}`,
    file ?? `(${from})`,
    `Model: ${model ?? "that of the session that calls"}`,
    `Tools: ${tools === null ? "all that the session that calls has" : tools.join(", ")}`,
    ...(skills === undefined ? [] : [`Skills: ${skills.join(", ")}`]),
    "",
    prompt,
  ];
}

function print(text: string): void {
  process.stdout.write(`${inertText(text)}\n`);
}
