import { type CapstanPlace, type CapstanRun, inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";
import { shared } from "../../suite/shared.ts";
import { secretPart, twinOf, vendorKeys } from "./key-formats.ts";

/** A value that looks like nothing, of a variable whose name says that it is secret. */
const known = ["local", "q7w2e9r4t1y6u3i8o5p0"].join("-");

/** What is searched for: by name, what is sent, and what of it must not be found. */
interface Secret {
  readonly name: string;
  readonly sent: string;
  readonly sought: string;
}

const secrets: readonly Secret[] = [
  ...Object.entries(vendorKeys).map(([name, key]) => ({ name, sent: key, sought: secretPart(key) })),
  ...Object.entries({
    "a value of the environment": known,
    "the same in base64": Buffer.from(known).toString("base64"),
    "the same in hex": Buffer.from(known).toString("hex"),
    "the same after other bytes, in base64": Buffer.from(`user:${known}`).toString("base64"),
  }).map(([name, sent]) => ({ name, sent, sought: sent })),
];

interface Carrier {
  readonly row: "X2" | "X4";
  readonly name: string;
  /** The scripted answers that carry a text. */
  readonly turns: (place: CapstanPlace, text: string) => readonly object[];
  /** It takes no more than so many at a time. */
  readonly atOnce?: number;
  /** The journal keeps it exactly, for the vendor that signed it; nothing that is shown may hold a key. */
  readonly isKept?: true;
}

const carriers: readonly Carrier[] = [
  { row: "X2", name: "words of the model, in pieces of 7 bytes", turns: (_, text) => [{ text, piece_bytes: 7 }] },
  { row: "X2", name: "words of the model, byte by byte", turns: (_, text) => [{ text, piece_bytes: 1 }] },
  {
    row: "X2",
    name: "signed thoughts of the model, as they are shown",
    isKept: true,
    turns: (_, text) => [{ thinking: text, text: "done", piece_bytes: 11 }],
  },
  {
    row: "X2",
    name: "a file that is read",
    turns: (place, text) => {
      place.write("leak.txt", text);
      return [{ tool_calls: [{ name: "read_file", arguments: { path: "leak.txt" } }] }, { text: "done" }];
    },
  },
  {
    row: "X2",
    name: "a file that is found",
    turns: (place, text) => {
      place.write("leak.txt", text);
      return [{ tool_calls: [{ name: "search", arguments: { pattern: "." } }] }, { text: "done" }];
    },
  },
  {
    row: "X2",
    name: "output of a command, in pieces",
    turns: (place, text) => {
      place.write("leak.txt", text);
      const command = `perl -e '$|=1; open F, "leak.txt"; while (read F, $b, 97) { print $b; select undef, undef, undef, 0.003 }'`;
      return [{ tool_calls: [{ name: "run_command", arguments: { command } }] }, { text: "done" }];
    },
  },
  {
    row: "X2",
    name: "an error of a command",
    turns: (place, text) => {
      place.write("leak.txt", text);
      return [{ tool_calls: [{ name: "run_command", arguments: { command: "cat leak.txt >&2; exit 3" } }] }, { text: "done" }];
    },
  },
  {
    row: "X4",
    name: "a vendor's error",
    atOnce: 2,
    turns: (_, text) => [{ text: "never", fault: { type: "http", status: 400, message: text, times: 9 } }],
  },
]; // prettier-ignore

/** X2, X4: keys come in by every way there is; then every byte that Capstan wrote is searched for them. */
export function leakingSessions(): readonly Attack[] {
  return carriers.flatMap((carrier) => portions(carrier).flatMap((portion) => leaks(carrier, portion)));
}

function portions({ atOnce = secrets.length }: Carrier): readonly (readonly Secret[])[] {
  return Array.from({ length: Math.ceil(secrets.length / atOnce) }, (_, index) =>
    secrets.slice(index * atOnce, (index + 1) * atOnce),
  );
}

function leaks(carrier: Carrier, portion: readonly Secret[]): readonly Attack[] {
  const redacted = shared(() => writtenBy(carrier, portion, (text) => text));
  // What no redactor knows comes through: the carrier carries, and the search finds.
  const plain = shared(() => writtenBy(carrier, portion, twinOf));
  return portion.map((secret): Attack => ({
    row: carrier.row,
    input: `${secret.name}, in ${carrier.name}`,
    attempt: async () => {
      const found = placesOf(await redacted(), secret.sought);
      return outcome(found.length > 0, found.join(", ") || "nowhere");
    },
    control: async () => {
      const found = placesOf(await plain(), twinOf(secret.sought));
      return outcome(found.length > 0, found.join(", ") || "nowhere");
    },
  }));
}

/** Everything a session left, by name. */
type Written = readonly (readonly [name: string, text: string])[];

function placesOf(written: Written, text: string): readonly string[] {
  return written.filter(([, content]) => content.includes(text)).map(([name]) => name);
}

async function writtenBy(
  carrier: Carrier,
  portion: readonly Secret[],
  disguise: (text: string) => string,
): Promise<Written> {
  return await inCapstanPlace(async (place) => {
    const text = portion.map(({ sent }, index) => `${index}) ${disguise(sent)} (end)`).join("\n");
    const env = { DEPLOY_TOKEN: known };
    const run = await place.run(carrier.turns(place, text), ["--output-format", "stream-json", "go"], { env });
    if (!run.stdout.includes("(end)") && !run.stderr.includes("(end)"))
      throw new Error(`nothing was carried: ${run.stdout.slice(-300)} ${run.stderr.slice(-300)}`);
    const own = [...textsOf("run", run), ...place.dataFiles()];
    if (carrier.atOnce !== undefined) return own;
    const id = /"sessionId":"([^"]+)"/.exec(run.stdout)?.[1] ?? "";
    const words = (format: string): readonly string[] => ["sessions", "export", id, "--format", format, "--redact"];
    const exports = await Promise.all(["jsonl", "markdown"].map((format) => place.start(words(format), { env })));
    const listed = await place.start(["sessions", "list"], { env });
    const shown = [...textsOf("run", run), ...[...exports, listed].flatMap((one) => textsOf("export", one))];
    if (carrier.isKept === true) return shown;
    const exact = await place.start(["sessions", "export", id, "--format", "jsonl"], { env });
    return [...shown, ...textsOf("exact export", exact), ...place.dataFiles()];
  });
}

function textsOf(name: string, { stdout, stderr }: CapstanRun): Written {
  return [
    [`${name}'s stdout`, stdout],
    [`${name}'s stderr`, stderr],
  ];
}
