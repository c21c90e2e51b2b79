import type { SessionConfig } from "@capstan/protocol";
import { chooseFallbacks, chooseModel, catalogFor } from "@capstan/catalog";
import { prepareDataDirectory, sessionConfig } from "@capstan/settings";
import type { Settings } from "../load-settings.ts";
import { openTools, withSpill } from "../open-parts.ts";
import { composePrompt } from "../prompt/compose-prompt.ts";

/** What a session would be run under now. No key is needed for it. @throws AppError `model.*`, `config.*` */
export async function presentConfig(settings: Settings): Promise<SessionConfig> {
  const { loaded, env, home, policy } = settings;
  const known = { catalog: await catalogFor(loaded.values, home), external: {} };
  const data = await prepareDataDirectory(home);
  return sessionConfig(loaded.values, {
    model: chooseModel(loaded.values, env, known).model,
    fallbacks: chooseFallbacks(loaded.values, env, known),
    policy: withSpill(policy, data),
    systemPrompt: await composePrompt(loaded.values),
    tools: openTools(settings, data).definitions(),
    askPolicy: "deny",
    interactionExpiryMs: null,
    isolation: { type: "none", reason: "nothing was run yet" },
    onUnknown: "fail",
  });
}
