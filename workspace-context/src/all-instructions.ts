import { relative } from "node:path";
import type { ContextPart } from "@capstan/protocol";
import { projectLevels } from "@capstan/settings";
import { localNames } from "@capstan/trust";
import {
  type Instructions,
  instructionText,
  ownInstructionText,
  readInstructions,
  readOwnInstructions,
} from "./instruction-file.ts";

export interface InstructionSources {
  /** In each folder the first of these that has words is read, and the first of their `.local.md` forms. */
  readonly names: readonly string[];
  /** Of the project's files together, and of the user's own. */
  readonly limitBytes: number;
  /** The data directory, where the user's own file lies. */
  readonly home: string;
  isTrusted(instructions: Instructions): boolean;
}

/**
 * Everything that is written for agents who work in a directory: by the user for all their work, and in the project on every
 * level from its root down to the directory, so that the nearest words come last. No text is reported twice.
 */
export async function allInstructions(cwd: string, sources: InstructionSources): Promise<ContextPart | undefined> {
  if (sources.limitBytes === 0) return undefined;
  const own = await readOwnInstructions(sources.home, sources.limitBytes);
  const project = await projectInstructions(cwd, sources, own);
  const texts = [
    ...(own === undefined ? [] : [ownInstructionText(own)]),
    ...project.map((instructions) => instructionText(instructions, sources.isTrusted(instructions))),
  ];
  return texts.length === 0 ? undefined : { name: "instructions", text: texts.join("\n\n") };
}

/** The nearest files have the room first; the same words elsewhere, also by a link, are left out. */
async function projectInstructions(
  cwd: string,
  { names, limitBytes }: InstructionSources,
  own: Instructions | undefined,
): Promise<readonly Instructions[]> {
  const { root, levels } = projectLevels(cwd);
  const reported = new Set(own === undefined ? [] : [own.text.trim()]);
  const found: Instructions[] = [];
  let room = limitBytes;
  for (const level of levels) {
    for (const wanted of [localNames(names), names]) {
      const read = room > 0 ? await readInstructions(level, wanted, room) : undefined;
      if (read === undefined || reported.has(read.text.trim())) continue;
      reported.add(read.text.trim());
      room -= Buffer.byteLength(read.text);
      found.unshift({ ...read, name: relative(root, read.path) });
    }
  }
  return found;
}
