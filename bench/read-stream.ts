/**
 * Reads one stream again and again with our provider, and says what CPU time that took. Started by `parsing.ts`.
 * Usage: read-stream.ts WIRE URL READS loopback | memory
 */
import { createProvider } from "@capstan/providers";
import type { ModelProvider, ProviderOptions, WireName } from "@capstan/ports";
import type { ModelSettings } from "@capstan/protocol";
import { benchWire } from "./wires.ts";
import { memoryReader } from "./memory-reader.ts";

const [name = "", url = "", reads = "1", way = "loopback"] = process.argv.slice(2);
const { wire, basePath, path } = benchWire(name);
const options: ProviderOptions = {
  name: "bench",
  baseUrl: `${url}${basePath}`,
  apiKey: "none",
  keyHint: "",
  headers: {},
  connectTimeoutMs: 10_000,
  firstByteTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
};
const provider = await createProvider(wire, options);
const read = way === "memory" ? memoryReader(wire, options, await arrivedPieces()) : () => readOnce(provider, wire);
await read();
const before = process.cpuUsage();
for (let count = 0; count < Number(reads); count += 1) await read();
const { user, system } = process.cpuUsage(before);
provider.close();
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000 / Number(reads) }));

async function readOnce(asked: ModelProvider, own: WireName): Promise<void> {
  const model: ModelSettings = {
    provider: "bench",
    id: "rehearsal",
    wire: own,
    contextWindowTokens: 200_000,
    maxOutputTokens: 4096,
    options: {},
  };
  const request = {
    system: "",
    messages: [{ role: "user", content: [{ type: "text", text: "go" }] } as const],
    tools: [],
    maxOutputTokens: 4096,
  };
  let finished = false;
  for await (const batch of asked.stream(request, model, new AbortController().signal)) {
    finished ||= batch.at(-1)?.type === "finish";
  }
  if (!finished) throw new Error("the stream did not finish");
}

async function arrivedPieces(): Promise<readonly Buffer[]> {
  const headers = { "content-type": "application/json", "x-goog-api-key": "none", "anthropic-version": "2023-06-01" };
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: '{"model":"rehearsal","stream":true}',
  });
  const pieces: Buffer[] = [];
  for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
  return pieces;
}
