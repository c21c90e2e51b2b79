import type { WireName } from "@capstan/ports";

/** How a wire is reached in the benchmarks. */
export interface BenchWire {
  /** Of the built-in provider, and of the bare script's part. */
  readonly name: string;
  readonly wire: WireName;
  /** Behind the server's address. */
  readonly basePath: string;
  /** Of the model call, below the server's address. */
  readonly path: string;
  /** The variables that lead Capstan there. */
  readonly variables: readonly [baseUrl: string, key: string];
}

export const benchWires: readonly BenchWire[] = [
  {
    name: "anthropic",
    wire: "anthropic",
    basePath: "",
    path: "/v1/messages",
    variables: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"],
  },
  {
    name: "openai",
    wire: "openai-responses",
    basePath: "/v1",
    path: "/v1/responses",
    variables: ["OPENAI_BASE_URL", "OPENAI_API_KEY"],
  },
  {
    name: "openai-chat",
    wire: "openai-chat",
    basePath: "/v1",
    path: "/v1/chat/completions",
    variables: ["OPENAI_BASE_URL", "OPENAI_API_KEY"],
  },
  {
    name: "google",
    wire: "google",
    basePath: "",
    path: "/v1beta/models/rehearsal:streamGenerateContent?alt=sse",
    variables: ["GEMINI_BASE_URL", "GEMINI_API_KEY"],
  },
];

/** @throws when there is no such wire */
export function benchWire(name: string): BenchWire {
  const found = benchWires.find((wire) => wire.name === name);
  if (found === undefined) throw new Error(`--wire takes ${benchWires.map((wire) => wire.name).join(", ")}`);
  return found;
}
