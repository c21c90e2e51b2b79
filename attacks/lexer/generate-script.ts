import type { SeededRandom } from "@capstan/testkit";
import { maxPieces } from "./limits.ts";
import { mutateScript } from "./mutate-script.ts";
import { bareArguments, joints, oddNames, plainNames, quotedPieces } from "./words.ts";

/** One script: most by the grammar of what the lexer accepts, many of those with a few faults in them, some of random characters. */
export function generateScript(random: SeededRandom): string {
  if (random.happens(0.06)) return randomCharacters(random);
  const script = commandList(random);
  return random.happens(0.45) ? mutateScript(script, random) : script;
}

function commandList(random: SeededRandom): string {
  // Most lists are short, so that most disagreements are, too.
  const count = 1 + random.below(random.happens(0.7) ? 2 : 5);
  let script = random.happens(0.05) ? random.pick([" ", "\n", "  ", ";"]) : "";
  for (let index = 0; index < count; index += 1) {
    script += (index === 0 ? "" : joint(random)) + command(random);
  }
  return random.happens(0.1) ? script + random.pick([" ", "\n", ";", " ;", "; ", ";\n", "&&", "|", "||"]) : script;
}

/** A pipe costs every shell two processes, so there are fewer than of the others. */
function joint(random: SeededRandom): string {
  const chosen = random.pick(joints);
  return /(?<!\|)\|(?!\|)/.test(chosen) && random.happens(0.6) ? "; " : chosen;
}

function command(random: SeededRandom): string {
  const name = random.happens(0.12) ? random.pick(oddNames) : random.pick(plainNames);
  const quoted = random.happens(0.03) ? random.pick([`'${name}'`, `"${name}"`, `''${name}`, `${name}""`]) : name;
  let text = random.happens(0.01) ? random.pick(quotedPieces) : quoted;
  const words = random.below(random.happens(0.9) ? 4 : maxPieces);
  for (let index = 0; index < words; index += 1) text += (random.happens(0.06) ? "  " : " ") + word(random);
  return text;
}

function word(random: SeededRandom): string {
  let text = piece(random);
  while (random.happens(0.15) && text.length < 40) text += piece(random);
  return text;
}

function piece(random: SeededRandom): string {
  if (random.happens(0.3)) return random.pick(quotedPieces);
  return random.happens(0.05) ? random.pick(oddNames) : random.pick(bareArguments);
}

const accepted = "kkkab019_@%+=:,./-   \n;&|'\"#~!$*?[]{}()<>\\^`\t\r";

function randomCharacters(random: SeededRandom): string {
  const length = 1 + random.below(24);
  return Array.from({ length }, () => accepted[random.below(accepted.length)] ?? "k").join("");
}
