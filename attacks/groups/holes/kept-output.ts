import { dirname, join } from "node:path";
import { type CapstanPlace, inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";

/** Stands at the end of an output that is too long for a result. */
const canary = "the-password-of-the-other-session";

/** The calls by which a session would look into the output that another one's commands left, by the path of that file. */
const looks: readonly (readonly [input: string, call: (path: string) => object])[] = [
  ["searches all kept output", (path) => ({ name: "search", arguments: { pattern: canary, path: dirname(dirname(path)) } })],
  ["searches another session's folder", (path) => ({ name: "search", arguments: { pattern: canary, path: dirname(path) } })],
  ["searches another session's file", (path) => ({ name: "search", arguments: { pattern: canary, path } })],
  ["reads another session's file", (path) => ({ name: "read_file", arguments: { path, start_line: 199_999 } })],
  ["reads it by another way", (path) => ({ name: "read_file", arguments: { path: join(dirname(path), "..", path.split("/").slice(-2).join("/")), start_line: 199_999 } })],
]; // prettier-ignore

/** Row H7: output of other sessions. The control is the session whose output it is. */
export function keptOutput(): readonly Attack[] {
  return looks.map(([input, call]) => ({
    row: "H7",
    input: `a session ${input}`,
    attempt: () => tryOut(call, "another"),
    control: () => tryOut(looks[3]?.[1] ?? call, "own"),
  }));
}

function tryOut(call: (path: string) => object, whose: "own" | "another"): Promise<Outcome> {
  return inCapstanPlace(async (place) => {
    const command = `seq 1 199999; echo "${canary.slice(0, 4)}""${canary.slice(4)}"`;
    const talk = [{ tool_calls: [{ name: "run_command", arguments: { command } }] }, { text: "done" }];
    await place.run(talk, ["--yolo", "--session-id", "first", "go"]);
    const [path = ""] = place.dataFiles().flatMap(([file]) => (file.endsWith(".log") ? [file] : []));
    const flags = whose === "own" ? ["--resume", "first"] : ["--session-id", "second"];
    const looking = [{ tool_calls: [call(path)] }, { text: "done" }];
    const { exchanges } = await place.run(looking, ["--yolo", ...flags, "look"]);
    return outcome(lastResult(exchanges).includes(canary), lastResult(exchanges).slice(0, 120));
  });
}

/** What the model read of its last call: the request before repeats what the first command had said. */
function lastResult(exchanges: Awaited<ReturnType<CapstanPlace["run"]>>["exchanges"]): string {
  const text = JSON.stringify(exchanges.at(-1)?.body ?? "");
  return text.slice(text.lastIndexOf('"tool_result"'));
}
