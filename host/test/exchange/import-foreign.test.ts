import { conversation } from "@capstan/session";
import { sessionConfig, sampled } from "@capstan/testkit";
import { toSessionId } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { readForeign, type ImportedJournal, toJournal } from "@capstan/importers";
import { askedAgain, inShort, refusalsOf } from "../../../importers/test/foreign/requests-of.ts";
import { type Sample, samples } from "../../../importers/test/foreign/samples.ts";
import { conversations } from "../../../importers/test/foreign/conversations.ts";

const sessionId = toSessionId("imported");
/** More than the last two lines of each sample. */
const lastBytes = 900;

interface Imported extends ImportedJournal {
  readonly agent: string;
  readonly healed: Readonly<Record<string, number>>;
}

function imported(text: string): Imported | undefined {
  const read = readForeign(text);
  if (read === undefined) return undefined;
  const workspace = { cwd: "/work", roots: ["/work"] };
  const journal = toJournal(
    read.session,
    {
      sessionId,
      opening: [
        { type: "session-started", sessionId, workspace, origin: { frontend: "import" }, version: "1.2.3" },
        { type: "session-configured", config: sessionConfig() },
      ],
      now: 1000,
      redact: (value) => value.replaceAll("hunter22hunter22", "***"),
    },
    read.healing,
  );
  return { ...journal, agent: read.session.agent, healed: read.healing.counts() };
}

/** Like `imported`, for files that must be recognised. */
function known(text: string): Imported {
  const found = imported(text);
  if (found === undefined) throw new Error("the file was not recognised");
  return found;
}

describe.each(samples.map((sample) => [`${sample.agent}, ${sample.form}`, sample] as const))("%s", (name, sample) => {
  test("is recognised, and its conversation is reported as it was", () => {
    const found = known(sample.text);
    const { agent, healed } = found;
    const state = askedAgain(found.events);
    const said = inShort(conversation(state));
    expect({ agent, said, healed, refusals: refusalsOf(state) }).toEqual({
      agent: sample.agent,
      refusals: [],
      ...conversations[name],
    });
  });

  test("cut after any line, it imports, and every wire accepts what is sent", () => {
    const lines = sample.text.split("\n");
    expect(
      problemsOf(
        [...lines.keys()].map((count) => lines.slice(0, count).join("\n")),
        sample,
      ),
    ).toEqual([]);
  });

  test("cut at any byte of its last lines, in the middle of a call, it imports, and every wire accepts what is sent", () => {
    const bytes = Buffer.from(sample.text);
    const ends = Array.from({ length: lastBytes }, (_item, at) => bytes.length - at);
    expect(
      problemsOf(
        sampled(ends, 40).map((end) => bytes.subarray(0, end).toString("utf8")),
        sample,
      ),
    ).toEqual([]);
  });
});

/** What is wrong with cut files: each imports, or is not recognised because nothing recognisable is left of it. */
function problemsOf(texts: readonly string[], sample: Sample): readonly unknown[] {
  const seen = new Set<string>();
  return texts.flatMap((text): readonly unknown[] => {
    const found = imported(text);
    if (found === undefined) return text.length < sample.text.length / 4 ? [] : [`not recognised: ${text}`];
    const journal = JSON.stringify(found.events);
    if (seen.has(journal)) return [];
    seen.add(journal);
    const problems = [...refusalsOf(askedAgain(found.events)), ...openCalls(found)];
    return found.agent === sample.agent ? problems : [`taken for ${found.agent}: ${text}`, ...problems];
  });
}

/** Every call has exactly one outcome. */
function openCalls({ events, calls }: Imported): readonly string[] {
  const finished = events.flatMap(({ record }) => (record.type === "tool-finished" ? [record.callId] : []));
  return finished.length === calls && new Set(finished).size === calls ? [] : ["a call has no outcome, or two"];
}
