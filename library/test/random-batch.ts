/** A call as the rehearsed model makes it. */
export interface BatchCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const paths = ["a.txt", "b.txt", "deep/c.txt"];
const words = ["oak", "elm", "yew"];
/** In what is written: the user says no. */
export const unwanted = "unwanted";

const patch = (...lines: readonly string[]): BatchCall => ({
  name: "apply_patch",
  arguments: { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
});
const run = (...argv: readonly string[]): BatchCall => ({ name: "run_command", arguments: { argv } });

/** Calls that stand on each other: they write, change, move, delete, read and command the same few files. The same for the same seed. */
export function randomBatch(seed: number): readonly BatchCall[] {
  const random = numbers(seed);
  const pick = <Choice>(choices: readonly [Choice, ...Choice[]]): Choice =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  const path = (): string => paths[Math.floor(random() * paths.length)] ?? "a.txt";
  const word = (): string => (random() < 0.1 ? unwanted : (words[Math.floor(random() * words.length)] ?? "oak"));
  const makers: readonly [() => BatchCall, ...(() => BatchCall)[]] = [
    () => ({ name: "write_file", arguments: { path: path(), content: `${word()}\n${word()}\n` } }),
    () => ({ name: "write_file", arguments: { path: path(), content: `${word()}\n`, overwrite: true } }),
    () => ({ name: "edit_file", arguments: { path: path(), old_string: word(), new_string: `${word()} tree` } }),
    () => ({ name: "read_file", arguments: { path: path() } }),
    () => ({ name: "read_file", arguments: { path: path() } }),
    () => ({ name: "list_directory", arguments: { path: pick([".", "deep"]) } }),
    () => patch(`*** Add File: ${path()}`, `+${word()}`, `+${word()}`),
    () => patch(`*** Update File: ${path()}`, "@@", `-${word()}`, `+${word()} ${word()}`),
    () => patch(`*** Delete File: ${path()}`),
    () => patch(`*** Update File: ${path()}`, `*** Move to: ${path()}`, "@@", `-${word()}`, `+${word()}`),
    () => run("rm", path()),
    () => run("cp", path(), path()),
    () => run("cat", path()),
    () => run("sh", "-c", `mkdir -p deep && echo ${word()} > ${path()}`),
    () => run("sh", `${pick(["a", "b"])}.txt`),
  ];
  return Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(makers)());
}

/** In [0, 1), the same for the same seed. */
function numbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
