import { messageOf } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import type { Chat } from "../run/chat.ts";
import { readSlash, type SlashCommand } from "./slash-commands.ts";

const nameCharacters = 80;
const aboutCharacters = 200;

/** Commands that stand for a prompt; a folder of them that cannot be read has none. */
export function customCommands(chat: Chat): readonly SlashCommand[] {
  try {
    return chat.surroundings.customCommands().map(({ name, takes, about }) => ({
      name: inertLine(name, nameCharacters),
      takes: inertLine(takes, nameCharacters),
      about: inertLine(about, aboutCharacters),
    }));
  } catch {
    return [];
  }
}

/** A prompt, and whether files that it names with `@` are sent beside it; or a script that its user runs. */
type ExpandedPrompt = { readonly prompt: string; readonly mayAttach: boolean } | { readonly script: string };

/** The prompt that a draft stands for which names such a command; `null`: it names none; a problem is said. */
export function expandedPrompt(chat: Chat, text: string): ExpandedPrompt | { readonly problem: string } | null {
  const [, name] = /^\/([A-Za-z][\w.:-]*)(?:\s|$)/.exec(text) ?? [];
  // What the terminal UI has itself is that.
  if (name === undefined || readSlash(text)?.type === "command") return null;
  if (!customCommands(chat).some((command) => command.name === name)) return null;
  try {
    const meant = chat.surroundings.expandCommand(text.trimEnd());
    return "script" in meant ? meant : { prompt: meant.text, mayAttach: meant.mayAttach };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
