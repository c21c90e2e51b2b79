import { expect, test } from "vitest";
import type { JsonObject } from "@capstan/protocol";
import { createReadManyFilesTool } from "../../src/directory/read-many-files.ts";
import { outcomeOf, sha, textOf, workspaceFixture } from "../workspace-fixture.ts";

function files(limits: { readonly outputBytes?: number } = {}) {
  const plain = workspaceFixture();
  const fixture = workspaceFixture({ limits: { ...plain.options.limits, ...limits } });
  for (const path of ["a.ts", "src/b.ts", "src/c.ts", ".env"]) fixture.write(path, `${path}\n`);
  const tool = createReadManyFilesTool(fixture.options, fixture.paths);
  return { fixture, call: async (args: JsonObject) => await fixture.call(tool, args) };
}

test("files named by path and by glob are read one after the other, each once", async () => {
  const { fixture, call } = files();
  const text = textOf(await call({ paths: ["a.ts", "**/*.ts"], exclude: ["src/c.ts"] }));
  expect(text).toBe("--- a.ts ---\n1\ta.ts\n\n--- src/b.ts ---\n1\tsrc/b.ts");
  expect([...fixture.known.values()]).toEqual([sha("a.ts\n"), sha("src/b.ts\n")]);
});

test("what is named must be there and free to read; what a glob finds is passed over", async () => {
  const { call } = files();
  expect(outcomeOf(await call({ paths: ["none.ts"] }))).toBe("path.not-found");
  expect(outcomeOf(await call({ paths: [".env"] }))).toBe("path.denied");
  expect(outcomeOf(await call({ paths: ["src"] }))).toBe("path.not-a-file");
  expect(outcomeOf(await call({ paths: ["*.none"] }))).toBe("tool.bad-arguments");
});

test("what has no room is named, and does not count as read", async () => {
  const { fixture, call } = files({ outputBytes: 60 });
  const text = textOf(await call({ paths: ["a.ts", "src/b.ts"] }));
  expect(text).toContain("[no room for: src/b.ts.");
  expect(fixture.known.size).toBe(1);
});
