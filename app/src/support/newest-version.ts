import { AppError, messageOf } from "@capstan/protocol";

const answerLimitMs = 5000;
/** Bytes of an answer: a manifest of one version. */
const maxAnswerBytes = 262_144;
const publicRegistry = "https://registry.npmjs.org";

/**
 * The newest release that the registry knows: the one that npm is set to by its variable, or the public one.
 * @throws AppError `provider.unavailable` naming the address when there is no answer that can be used
 */
export async function newestVersion(env: NodeJS.ProcessEnv): Promise<string> {
  const registry = env["NPM_CONFIG_REGISTRY"] ?? env["npm_config_registry"] ?? publicRegistry;
  const url = `${registry.replace(/\/+$/, "")}/capstan/latest`;
  const version = await askedFor(url).catch((error: unknown) => {
    throw notAnswered(url, messageOf(error), error);
  });
  if (typeof version === "string" && /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version)) return version;
  throw notAnswered(url, "its answer names no release", undefined);
}

async function askedFor(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  if (text.length > maxAnswerBytes) throw new Error("its answer is too long");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
}

function notAnswered(url: string, why: string, cause: unknown): AppError {
  return new AppError("provider.unavailable", `no newest version from ${url}: ${why}`, {
    cause,
    hint: "Check the network, or NPM_CONFIG_REGISTRY.",
  });
}
