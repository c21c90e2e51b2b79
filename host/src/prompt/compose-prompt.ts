import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import type { CapstanConfig } from "../config/keys/capstan-config.ts";
import { systemPrompt } from "./system-prompt.ts";

/**
 * The system prompt: the built-in one or the person's own in its place, and what they append.
 * @throws {AppError} `config.unreadable` for a prompt file that cannot be read
 */
export async function composePrompt({ prompt }: CapstanConfig): Promise<string> {
  const base =
    prompt.system_prompt ?? (await fileText(prompt.system_prompt_file, "prompt.system_prompt_file")) ?? systemPrompt;
  const appended =
    prompt.append_system_prompt ??
    (await fileText(prompt.append_system_prompt_file, "prompt.append_system_prompt_file"));
  return appended === undefined || appended === "" ? base : `${base}\n\n${appended}`;
}

async function fileText(file: string | null, key: string): Promise<string | undefined> {
  if (file === null) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AppError("config.unreadable", `${key}: ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
