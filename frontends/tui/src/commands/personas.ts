import { inertLine } from "@capstan/view";
import { submit } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

const nameCharacters = 200;

/** Without names it says which there are. @param rest  names, or `none` */
export async function choosePersonas(chat: Chat, rest: string): Promise<void> {
  if (rest === "") return chat.say(sentenceOf(chat));
  const personas = rest === "none" ? [] : rest.split(/[\s,]+/).filter((name) => name !== "");
  const receipt = await submit(chat, { type: "set", settings: { personas } });
  if (receipt.type === "accepted") chat.say(personas.length === 0 ? none : `Personas: ${shown(personas)}.`);
}

const none = "This session has no personas.";

function sentenceOf(chat: Chat): string {
  const names = (chat.session.transcript.config?.personas ?? []).map(({ name }) => name);
  return names.length === 0 ? `${none} \`capstan personas\` lists what there is.` : `Personas: ${shown(names)}.`;
}

function shown(names: readonly string[]): string {
  return names.map((name) => inertLine(name, nameCharacters)).join(", ");
}
