import type { ClientFeatures } from "../updates/said.ts";
import type { Fields } from "../params/fields.ts";

/** The version of the protocol that is spoken. */
const protocolVersion = 1;

/** What a client can show, by its `initialize`. What it does not name it cannot. */
export function featuresOf(params: Fields): ClientFeatures {
  const client = params.optionalObject("clientCapabilities");
  const session = client?.optionalObject("session");
  return {
    notices: session?.optionalObject("notices") !== undefined,
    compaction: session?.optionalObject("compaction") !== undefined,
    forms: client?.optionalObject("elicitation")?.optionalObject("form") !== undefined,
    terminalLogin: client?.optionalObject("auth")?.flag("terminal") === true,
  };
}

export const noFeatures: ClientFeatures = { notices: false, compaction: false, forms: false, terminalLogin: false };

/** The answer to `initialize`. */
export function greeting(version: string, features: ClientFeatures): object {
  return {
    protocolVersion,
    agentInfo: { name: "capstan", title: "Capstan", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {}, fork: {} },
      auth: {},
    },
    authMethods: [environmentMethod, ...(features.terminalLogin ? [terminalMethod] : [])],
  };
}

export const environmentMethodId = "environment";

const environmentMethod = {
  id: environmentMethodId,
  name: "Keys from the environment",
  description:
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY where the editor starts Capstan, or name a provider of your own in ~/.capstan/config.toml.",
};

/** `capstan acp --setup` */
const terminalMethod = {
  type: "terminal",
  id: "terminal",
  name: "Set up in a terminal",
  description: "Writes the configuration file and says which variables hold keys.",
  args: ["--setup"],
};
