import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CapstanPlace, type CapstanRun, inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";
import { shared } from "../../suite/shared.ts";
import { foreignCharacters, hostileTexts } from "./hostile-texts.ts";

/** R1 to R3, R6: hostile texts come from every side to the real binary on a real terminal; every byte that reaches it is looked at. */
export function shownTexts(): readonly Attack[] {
  return places.flatMap((shownPlace) => {
    const whole = shared(() => shownBy(shownPlace));
    return Object.entries(hostileTexts).map(([name, text]): Attack => ({
      row: rowOf(name),
      input: `${name}, in ${shownPlace.name}`,
      attempt: async () => {
        const foreign = foreignCharacters(await whole());
        return outcome(foreign.length > 0, describe(foreign));
      },
      control: async () => {
        const foreign = foreignCharacters(await rawOnTerminal(text));
        return outcome(foreign.length > 0, describe(foreign));
      },
    }));
  });
}

function rowOf(name: string): string {
  if (/direction|zero|tags|separators/.test(name)) return "R3";
  return /returns|never|vertical/.test(name) ? "R2" : "R1";
}

function describe(foreign: readonly string[]): string {
  const numbers = foreign.slice(0, 5).map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16)}`);
  return `${foreign.length} foreign characters ${numbers.join(" ")}`;
}

/** All families together, each with a word that must be seen: what shows nothing proves nothing. */
const everything = Object.values(hostileTexts)
  .map((text, index) => `w${index} ${text} x${index}`)
  .join("\n");
const oneLine = everything.replaceAll("\n", " ").replaceAll("\u0000", "");

interface ShownPlace {
  readonly name: string;
  /** A word that must be seen. */
  readonly word: string;
  readonly show: (place: CapstanPlace) => Promise<CapstanRun>;
}

const places: readonly ShownPlace[] = [
  {
    name: "words of the model",
    word: "ending",
    show: (place) => onTerminal(place, [{ text: `beginning ${everything} ending`, piece_bytes: 5 }], ["go"]),
  },
  {
    name: "thoughts of the model",
    word: "ending",
    show: (place) => onTerminal(place, [{ thinking: everything, text: "ending", piece_bytes: 3 }], ["go"]),
  },
  {
    name: "names and arguments of calls",
    word: "ending",
    show: (place) =>
      onTerminal(
        place,
        [
          {
            tool_calls: Object.values(hostileTexts).flatMap((text) => [
              { name: "read_file", arguments: { path: `no ${text}` } },
              { name: `tool${text}`, arguments: { [`key${text}`]: text } },
            ]),
          },
          { text: "ending" },
        ],
        ["--set", "tools.max_tool_calls_per_batch=200", "go"],
      ),
  },
  {
    name: "a diff",
    word: "ending",
    show: (place) =>
      onTerminal(
        place,
        [
          { tool_calls: [{ name: "write_file", arguments: { path: "out.txt", content: everything } }] },
          { text: "ending" },
        ],
        ["--yolo", "go"],
      ),
  },
  {
    name: "names of files, and what was found",
    word: "ending",
    show: (place) => {
      for (const [index, text] of Object.values(hostileTexts).entries())
        writeFileSync(join(place.cwd, `name ${text.replaceAll("/", "_")} ${index}`), `found ${text}`);
      const calls = [
        { name: "glob", arguments: { pattern: "*" } },
        { name: "search", arguments: { pattern: "found" } },
      ];
      return onTerminal(place, [{ tool_calls: calls }, { text: "ending" }], ["go"]);
    },
  },
  {
    name: "output and errors of commands",
    word: "ending",
    show: (place) => {
      place.write("hostile.txt", everything);
      const call = { name: "run_command", arguments: { command: "cat hostile.txt; cat hostile.txt >&2; exit 3" } };
      return onTerminal(place, [{ tool_calls: [call] }, { text: "ending" }], ["go"]);
    },
  },
  {
    name: "a denied command and its reason",
    word: "ending",
    show: (place) => {
      const call = { name: "run_command", arguments: { command: `echo ${everything}` } };
      return onTerminal(place, [{ tool_calls: [call] }, { text: "ending" }], ["--deny", "run_command", "go"]);
    },
  },
  {
    name: "a vendor's error",
    word: "w0",
    show: (place) => {
      const fault = { type: "http", status: 400, message: oneLine, times: 9 };
      return onTerminal(place, [{ text: "never", fault }], ["go"]);
    },
  },
  {
    name: "the title in a list of sessions",
    word: "titled",
    show: async (place) => {
      await onTerminal(place, [{ text: "yes" }], [`titled ${oneLine}`]);
      return await place.start(["sessions", "list"], { through: terminal });
    },
  },
  {
    name: "a transcript",
    word: "ending",
    show: async (place) => {
      await onTerminal(place, [{ text: `beginning ${everything} ending` }], ["go"]);
      const { stdout } = await place.start(["sessions", "list", "--json"]);
      const id = /"(?:sessionId|id)":\s*"([^"]+)"/.exec(stdout)?.[1] ?? "";
      return await place.start(["sessions", "show", id], { through: terminal });
    },
  },
];

async function shownBy({ word, show, name }: ShownPlace): Promise<string> {
  return await inCapstanPlace(async (place) => {
    const { stdout } = await show(place);
    if (!stdout.includes(word))
      throw new Error(`${name}: ${JSON.stringify(word)} was not shown: ${stdout.slice(0, 300)}`);
    return stdout;
  });
}

function onTerminal(place: CapstanPlace, turns: readonly object[], args: readonly string[]): Promise<CapstanRun> {
  return place.run(turns, args, { through: terminal, env: { TERM: "xterm-256color" } });
}

/** Gives a program a terminal of its own, and everything that reaches it to us. */
function terminal(words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  return ["script", "--quiet", "--return", "--log-out", "/dev/null", "--command", quoted];
}

/** The same text as it is, on the same kind of terminal. */
async function rawOnTerminal(text: string): Promise<string> {
  return await inCapstanPlace(async (place) => {
    const file = place.write("hostile.txt", text);
    const { stdout } = await place.start([], { through: () => terminal(["cat", file]) });
    return stdout;
  });
}
