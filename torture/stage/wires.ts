export const tortureWires = ["anthropic", "openai-responses", "openai-chat", "google"] as const;
export type TortureWire = (typeof tortureWires)[number];

interface WireAccess {
  readonly model: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly basePath: string;
}

const openai = { key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL", basePath: "/v1" };

const accesses: Readonly<Record<TortureWire, WireAccess>> = {
  anthropic: {
    model: "anthropic/rehearsal",
    key: "ANTHROPIC_API_KEY",
    baseUrl: "ANTHROPIC_BASE_URL",
    basePath: "",
  },
  "openai-responses": { model: "openai/rehearsal", ...openai },
  "openai-chat": { model: "openai-chat/rehearsal", ...openai },
  google: { model: "google/rehearsal", key: "GEMINI_API_KEY", baseUrl: "GEMINI_BASE_URL", basePath: "" },
};

/** The model that is asked over a wire. */
export function modelOf(wire: TortureWire): string {
  return accesses[wire].model;
}

/** What leads a run to the rehearsal server. The key is no word of any script: keys are taken out of what is shown. */
export function wireEnvironment(wire: TortureWire, url: string): Readonly<Record<string, string>> {
  const { key, baseUrl, basePath } = accesses[wire];
  return { [key]: "key-that-opens-nothing", [baseUrl]: `${url}${basePath}` };
}

/** @throws for a name that is none of them */
export function tortureWire(name: string): TortureWire {
  const wire = tortureWires.find((known) => known === name);
  if (wire === undefined) throw new Error(`--wire takes all, ${tortureWires.join(", ")}, not ${name}`);
  return wire;
}
