import type { ModelEntry } from "@capstan/protocol";
import { inertLine, tokensText } from "@capstan/view";
import { submit } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

const nameCharacters = 200;
/** A price is not finer. */
const priceDigits = 4;

/** @param provider  only the models of providers whose names have it */
export async function chooseModel(chat: Chat, rest: string, provider = ""): Promise<void> {
  const model = rest === "" ? await pickModel(chat, provider) : rest;
  if (model === null) return;
  const receipt = await submit(chat, { type: "set", settings: { model } });
  if (receipt.type === "accepted") chat.say(`The model is ${model}`);
}

async function pickModel(chat: Chat, provider: string): Promise<string | null> {
  chat.say("asking the vendors for their models …");
  const all = await chat.engine.models();
  const models = all.filter(({ name }) => name.split("/")[0]?.includes(provider.toLowerCase()));
  if (models.length === 0) {
    chat.say(
      provider === ""
        ? "Your keys reach no model; /doctor says why."
        : `No provider with models is called ${provider}.`,
    );
    return null;
  }
  const current = chat.session.transcript.config?.model;
  const name = current === undefined ? "" : `${current.provider}/${current.id}`;
  const entries = models.map((model) => ({
    value: model.name,
    label: inertLine(model.name, nameCharacters),
    about: [...(model.name === name ? ["now"] : []), ...aboutModel(model)].join(" · "),
  }));
  const at = Math.max(
    0,
    models.findIndex((model) => model.name === name),
  );
  return await chat.overlays.pick("Models that your keys reach", entries, at);
}

/** Its window and its prices, as far as they are known: `200k tokens`, `$3 in, $15 out per million`. */
export function aboutModel({ contextWindowTokens, prices }: ModelEntry): readonly string[] {
  return [
    ...(contextWindowTokens === undefined ? [] : [`${tokensText(contextWindowTokens)} tokens`]),
    ...(prices === undefined ? [] : [`$${usd(prices.input)} in, $${usd(prices.output)} out per million`]),
  ];
}

function usd(price: number): string {
  return String(Number(price.toFixed(priceDigits)));
}
