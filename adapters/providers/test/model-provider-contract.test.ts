import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { modelProviderContract, type Performance, type ProviderUnderTest } from "@capstan/testkit";
import type { WireName } from "@capstan/ports";
import { createProvider } from "@capstan/providers";
import { model, optionsFor, testKey } from "./fixtures/calls.ts";

const wires: readonly WireName[] = ["anthropic", "openai-responses", "openai-chat", "google"];

for (const wire of wires) modelProviderContract(wire, (performance) => open(wire, performance));

async function open(wire: WireName, performance: Performance): Promise<ProviderUnderTest> {
  const scenario = parseScenario(
    JSON.stringify({ name: "contract", loop: true, turns: [turnOf(performance)] }),
    "contract",
  );
  const rehearsal = await startRehearsal({ scenario });
  // Whoever listens on a port that was just closed is nobody.
  if (performance.type === "nobody") await rehearsal.close();
  return {
    provider: await createProvider(wire, optionsFor(rehearsal.url)),
    model: model({}, { wire, ...(wire === "google" ? { id: "gemini-2.5-pro" } : {}) }),
    key: testKey,
    dispose: () => rehearsal.close(),
  };
}

function turnOf(performance: Performance): object {
  switch (performance.type) {
    case "answer":
      return { text: performance.text, tool_calls: performance.calls ?? [] };
    case "cut":
      return { text: performance.text, fault: { type: "cut", after_bytes: 5000, times: 99 } };
    case "silence":
      return { text: performance.text, fault: { type: "stall", after_bytes: 5000, times: 99 } };
    case "overloaded":
      return { text: "never said", fault: { type: "http", status: 529, times: 99 } };
    case "nobody":
      return { text: "never said" };
  }
}
