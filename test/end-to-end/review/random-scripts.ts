import * as fc from "fast-check";

const names = ["a.txt", "b", "sub/c.txt", "sub/deep/d", "with space.md", "-dash", "ünï.txt", "sub"];
const name = fc.constantFrom(...names).map((path) => `'./${path}'`);
const words = fc.constantFrom("one", "two", "", "three\\nlines\\n");

/** What a shell does to files: writes, renames, links and deletes. What cannot be done is left out, as the same script does everywhere. */
const line = fc.oneof(
  fc.tuple(name, words).map(([path, text]) => `mkdir -p "$(dirname ${path})" && printf '${text}' > ${path}`),
  fc.tuple(name, words).map(([path, text]) => `printf '${text}' >> ${path}`),
  fc.tuple(name, name).map(([from, to]) => `mv -- ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -R -- ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -- ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -sfn -- ${from} ${to}`),
  name.map((path) => `rm -rf -- ${path}`),
  name.map((path) => `chmod u+x -- ${path}`),
  name.map((path) => `chmod a-x -- ${path}`),
);

/** One script. Each of its lines is tried. */
export const script: fc.Arbitrary<string> = fc
  .array(line, { minLength: 1, maxLength: 7 })
  .map((lines) => lines.map((each) => `{ ${each}; } 2>/dev/null || true`).join("\n"));
