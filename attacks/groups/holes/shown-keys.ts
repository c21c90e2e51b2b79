import { spawnSync } from "node:child_process";
import { inertText } from "@capstan/patterns";
import { createRedactor } from "@capstan/runtime";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";

// Put together here, so that no file of the project holds anything of the form of a key.
const vendor = ["sk", "ant", "api03", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8"].join("-");
const password = "correct-Horse_battery9";

/** What a command does to a key, and what a reader does to have it again. */
const disguises: readonly (readonly [script: string, read: (shown: string) => string])[] = [
  ["sed 's/./\\x1b[1m&/g'", inertText],
  ["sed 's/./&\\x1b]8;;\\x07/g'", inertText],
  ["sed 's/./&\\xe2\\x80\\x8b/g'", inertText],
  ["sed 's/./&\\xc2\\xad/g'", inertText],
  ["sed 's/./&\\x0/g'", inertText],
  ["iconv -t utf-16le", inertText],
  ["iconv -t utf-16be", inertText],
  ["base64 -w0 | base64 -w0", undone("base64 -d | base64 -d")],
  ["iconv -t utf-16le | base64 -w0", undone("base64 -d | iconv -f utf-16le")],
  ["xxd", undone("xxd -r")],
  ["xxd -p", undone("xxd -r -p")],
  ["xxd -c 5", undone("xxd -r -c 5")],
  ["od -An -v -tx1", undone("xxd -r -p")],
  ["od -v -tx1", undone("cut -c9- | xxd -r -p")],
  ["od -An -v -b", undone("tr -s ' \\n' '\\n\\n' | sed '/^$/d; s/^/\\\\/' | tr -d '\\n' | xargs -0 printf '%b'")],
  ["hexdump -C", undone("cut -c11-58 | xxd -r -p")],
  [`perl -ne 'printf "\\\\%03o", ord for split //'`, undone("xargs -0 printf '%b'")],
  [`perl -ne 'printf "&#%d;", ord for split //'`, undone(`perl -pe 's/&#(\\d+);/chr $1/ge'`)],
  [`perl -ne 'printf "&#x%x;", ord for split //'`, undone(`perl -pe 's/&#x(\\w+);/chr hex $1/ge'`)],
];

/** Row H8: a key comes out of a command in another form, and is whole again for whoever reads it. */
export function shownKeys(): readonly Attack[] {
  const redact = createRedactor([password]);
  return disguises.flatMap(([script, read]) =>
    [vendor, password].map((key): Attack => ({
      row: "H8",
      input: `${key.slice(0, 6)}… | ${script}`,
      attempt: () => Promise.resolve(reported(read(redact(through(key, script))), key)),
      control: () => Promise.resolve(reported(read(through(key, script)), key)),
    })),
  );
}

function through(key: string, script: string): string {
  return spawnSync("/bin/bash", ["-c", script], { input: key }).stdout.toString("utf8");
}

function undone(script: string): (shown: string) => string {
  return (shown) => spawnSync("/bin/bash", ["-c", script], { input: shown }).stdout.toString("utf8");
}

/** Half of a key is enough to be worried about. */
function reported(text: string, key: string): Outcome {
  const half = key.slice(-Math.ceil(key.length / 2));
  return outcome(text.includes(half), JSON.stringify(text).slice(0, 100));
}
