import type { SettleEvidence } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  completes,
  ends,
  packed,
  play,
  prepared,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import { expect, test } from "vitest";

function writing(path: string, bytes: number): { readonly settle: SettleEvidence } {
  return { settle: { files: [{ path, before: null, after: `hash of ${path} ${bytes}`, afterBytes: bytes }] } };
}

/** Three writing calls, one after the other, of so many bytes into these files. */
function threeWrites(limits: { readonly bytes?: number; readonly files?: number }, paths: readonly string[]): unknown {
  const config = sessionConfig({
    policy: { rules: [allowing("change")] },
    strategy: "sequential",
    limits: { maxBytesWrittenPerTurn: limits.bytes ?? null, maxFilesWrittenPerTurn: limits.files ?? null },
  });
  const ids = ["a", "b", "c"];
  const stimuli = ids.flatMap((id, index) => [staged(id, writing(paths[index] ?? "x", 100)), ends(id)]);
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer(ids.map((id) => call(id, "change", { path: id })))),
      prepared("t1.s1", Object.fromEntries(ids.map((id) => [id, action("change", { path: id })]))),
      ...stimuli,
    ],
    config,
  );
  return journal.flatMap((record) => (record.type === "tool-finished" ? [record.outcome.type] : []));
}

test("a call that would write more bytes than the turn may is not run", () => {
  expect(threeWrites({ bytes: 200 }, ["x", "y", "z"])).toEqual(["done", "done", "rejected"]);
  expect(threeWrites({ bytes: 300 }, ["x", "y", "z"])).toEqual(["done", "done", "done"]);
});

test("a call that would change more files than the turn may is not run; a file counts once", () => {
  expect(threeWrites({ files: 2 }, ["x", "y", "z"])).toEqual(["done", "done", "rejected"]);
  expect(threeWrites({ files: 2 }, ["x", "y", "x"])).toEqual(["done", "done", "done"]);
});

test("bytes count each time they are written", () => {
  expect(threeWrites({ bytes: 200 }, ["x", "x", "x"])).toEqual(["done", "done", "rejected"]);
});

test("a file that comes out as it was counts neither as bytes nor as a file", () => {
  const config = sessionConfig({
    policy: { rules: [allowing("change")] },
    limits: { maxBytesWrittenPerTurn: 0, maxFilesWrittenPerTurn: 0 },
  });
  const same = { path: "/work/x", before: "hash", after: "hash", afterBytes: 100 };
  const { last } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "change", { path: "x" })])),
      prepared("t1.s1", { a: action("change", { path: "x" }) }),
      staged("a", { settle: { files: [same] } }),
    ],
    config,
  );
  expect(last.records).toMatchObject([{ type: "tool-started", callId: "a" }]);
});
