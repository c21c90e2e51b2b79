import { createWriteStream } from "node:fs";
import { once } from "node:events";
import type { SeededRandom } from "@capstan/testkit";
import { contextBench } from "../limits.ts";

/** Something that was said once, long ago. `question`: words that ask for it, without its value. */
export interface PlantedFact {
  readonly question: string;
  readonly value: string;
}

const things = [
  "gateway",
  "ledger",
  "mailer",
  "scheduler",
  "importer",
  "catalogue",
  "renderer",
  "broker",
  "vault",
  "relay",
];
const traits = ["port", "owner", "quota", "deadline", "colour"];
const phrasings = [
  (trait: string, thing: string, value: string) =>
    `By the way, the ${trait} of the ${thing} turned out to be ${value}.`,
  (trait: string, thing: string, value: string) => `I looked it up: ${thing}, ${trait}: ${value}.`,
  (trait: string, thing: string, value: string) => `For the ${thing} we have ${value} as its ${trait}.`,
  (trait: string, thing: string, value: string) => `${value} is what the ${thing} has for a ${trait}.`,
];
const filler =
  "the file was read and its lines were changed as wanted so that every test of that module passes now and nothing else moved".split(
    " ",
  );

/**
 * Writes a session as another agent stores it: turns of a request, a tool's result and an answer, with facts spread evenly over them. Who
 * says a fact changes from one to the next: the user, the model, a tool.
 * @param tokens  of the whole history, roughly
 */
export async function plantHistory(
  path: string,
  tokens: number,
  random: SeededRandom,
): Promise<readonly PlantedFact[]> {
  const turns = Math.max(contextBench.facts, Math.round((tokens * charactersPerToken) / charactersPerTurn));
  const facts = Array.from({ length: contextBench.facts }, (_, index) => fact(index, random));
  const out = createWriteStream(path);
  const write = lines(out);
  for (let turn = 0; turn < turns; turn += 1) {
    const index = Math.floor((turn * facts.length) / turns);
    const isFirst = Math.floor(((turn - 1) * facts.length) / turns) !== index || turn === 0;
    const said = isFirst ? sentence(facts[index], random) : "";
    const by = (who: number): string => (index % 3 === who ? ` ${said}` : "");
    await write("user", `Please look at part ${turn}.${by(0)} ${words(60, random)}.`);
    await write("assistant", [
      { type: "text", text: `${words(90, random)}.${by(1)}` },
      { type: "tool_use", id: `toolu_${turn}`, name: "Read", input: { file_path: `/parts/${turn}.txt` } },
    ]);
    const content = `${words(300, random)}.${by(2)}\n${words(300, random)}`;
    await write("user", [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content }]);
    await write("assistant", [{ type: "text", text: `Part ${turn} is done: ${words(40, random)}.` }]);
  }
  out.end();
  await once(out, "close");
  return facts;
}

const charactersPerToken = 4;
/** Of a turn as it is written here. */
const charactersPerTurn = 4200;

function fact(index: number, random: SeededRandom): PlantedFact {
  const thing = things[index % things.length] ?? "";
  const trait = traits[Math.floor(index / things.length) % traits.length] ?? "";
  const value = `${random.pick(["amber", "basalt", "cedar", "delta", "ember"])}-${random.below(90_000) + 10_000}`;
  return { question: `${trait} ${thing}`, value };
}

function sentence(planted: PlantedFact | undefined, random: SeededRandom): string {
  if (planted === undefined) return "";
  const [trait = "", thing = ""] = planted.question.split(" ");
  const phrase = random.pick(phrasings);
  return phrase(trait, thing, planted.value);
}

function words(count: number, random: SeededRandom): string {
  return Array.from({ length: count }, () => random.pick(filler)).join(" ");
}

/** Lines of a session of Claude Code, each with its parent. */
function lines(out: NodeJS.WritableStream): (role: "user" | "assistant", content: unknown) => Promise<void> {
  let count = 0;
  return async (role, content) => {
    const parentUuid = count === 0 ? null : uuid(count);
    count += 1;
    const line = {
      parentUuid,
      uuid: uuid(count),
      sessionId: uuid(0),
      cwd: "/parts",
      version: "2.0.1",
      type: role,
      timestamp: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
      message:
        role === "user" ? { role, content } : { role, content, id: `msg_${count}`, model: "bench", type: "message" },
    };
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, "drain");
  };
}

function uuid(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}
