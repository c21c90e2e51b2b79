import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import type { Place } from "../stage/place.ts";

/** Keys and addresses of a scripted server that speaks every wire, with `model` as its only model. */
export async function startVendors(
  place: Place,
  model: string,
  turns: readonly object[],
): Promise<Readonly<Record<string, string>>> {
  const scenario = parseScenario(JSON.stringify({ name: "models", model, turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  place.onClose(() => rehearsal.close());
  const { url } = rehearsal;
  return {
    ANTHROPIC_API_KEY: "opens-nothing",
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: "opens-nothing",
    OPENAI_BASE_URL: `${url}/v1`,
    GEMINI_API_KEY: "opens-nothing",
    GEMINI_BASE_URL: url,
  };
}
