import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import type { Vendor } from "../talk.ts";

/** Plain ASCII, so that bytes can be counted in it; the mark stands where a test puts other bytes. */
export const answerText = "One two three # four. That is the whole answer.";
/** A piece of that text, as it is sent. */
export const answerPiece = "wo th";

/** A whole answer as its vendor sends it. */
export interface GoodAnswer {
  /** Each with its blank line. */
  readonly events: readonly string[];
  /** The same in one JSON document. */
  readonly document: string;
}

/** Asked for once by each test file: it is always the same. */
const asked = new Map<Vendor, Promise<GoodAnswer>>();

export function goodAnswer(vendor: Vendor): Promise<GoodAnswer> {
  const answer = asked.get(vendor) ?? askForAnswer(vendor);
  asked.set(vendor, answer);
  return answer;
}

/** Asks the rehearsal, as any client would. */
async function askForAnswer(vendor: Vendor): Promise<GoodAnswer> {
  const turn = { text: answerText, piece_bytes: answerPiece.length, usage: { input: 100, output: 20 } };
  const file = JSON.stringify({ name: "good answer", require_key: false, turns: [turn, turn] });
  const server = await startRehearsal({ scenario: parseScenario(file, "good-answer.json"), checks: "off" });
  try {
    const text = await ask(server.url, vendor, true);
    const events = text.split(/(?<=\n\n)/);
    return { events, document: await ask(server.url, vendor, false) };
  } finally {
    await server.close();
  }
}

async function ask(url: string, vendor: Vendor, stream: boolean): Promise<string> {
  const paths: Readonly<Record<Vendor, string>> = {
    anthropic: "/v1/messages",
    openai: "/v1/responses",
    "openai-chat": "/v1/chat/completions",
    google: `/v1beta/models/gemini-3-pro-preview:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  };
  const response = await fetch(`${url}${paths[vendor]}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "m", stream, stream_options: { include_usage: true } }),
  });
  if (response.status !== 200) throw new Error(`the rehearsal answered ${response.status}: ${await response.text()}`);
  return response.text();
}
