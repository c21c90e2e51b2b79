import { connectionOptions, type ExternalProviders } from "@capstan/catalog";
import type { Compactors, ProviderOptions } from "@capstan/ports";
import { AppError, compactorWire, isOwnCompactor, ownCompactors } from "@capstan/protocol";
import { openCompactors } from "@capstan/providers";
import { didYouMean } from "@capstan/settings";
import type { Settings } from "../load-settings.ts";

/** What makes room in conversations from outside, as a provider of summaries. */
export function outsideCompactors(
  settings: Settings,
  { compactors = {} }: { readonly compactors?: Compactors },
): ExternalProviders {
  const create = async (): ReturnType<typeof openCompactors> => openCompactors(compactors, await addressOf(settings));
  return { [compactorWire]: { wire: compactorWire, create } };
}

/** @throws {AppError} `config.invalid` for a compactor that there is not */
export function requireCompactor(name: string, { compactors = {} }: { readonly compactors?: Compactors }): void {
  if (isOwnCompactor(name) || Object.hasOwn(compactors, name)) return;
  const known = [...ownCompactors, ...Object.keys(compactors)];
  throw new AppError(
    "config.invalid",
    `context.compactor: there is no compactor ${JSON.stringify(name)}${didYouMean(name, known)}`,
    {
      hint: `There are ${known.join(", ")}.`,
    },
  );
}

async function addressOf({ loaded: { values: config }, env }: Settings): Promise<ProviderOptions | null> {
  const { summary_url: baseUrl, summary_key_env: keyName } = config.context;
  if (baseUrl === null) return null;
  return {
    name: "context.summary_url",
    baseUrl,
    apiKey: keyName === null ? undefined : env[keyName],
    keyHint: `Set ${keyName ?? "context.summary_key_env"}.`,
    headers: {},
    ...(await connectionOptions(baseUrl, config, env)),
  };
}
