import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { headOf, resultsOf, toolNames } from "../stage/read-request.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const place = usePlace();

function ours(says: string): string {
  return `---\ndescription: Ours\nextends: [base]\n---\n${says}\n`;
}

const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };

test("a persona is read by the model and takes tools away, also from the session that is carried on after kill -9", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: "never", first_byte_delay_ms: 60_000 },
    { tool_calls: [write] },
    { text: "done" },
  ]);
  const running = stage.start(["--persona", "code-reviewer", "--yolo", "go"]);
  await stage.requests(1);
  running.kill("SIGKILL");
  await running.ended;
  const [first] = stage.exchanges;
  expect(JSON.stringify(first?.body)).toContain("You review code.");
  const next = await stage.run(["-c", "--yolo"]);
  expect({ code: next.code, stdout: next.stdout }).toEqual({ code: 3, stdout: "done\n" });
  const second = stage.exchanges[1];
  if (first === undefined || second === undefined) throw new Error("two requests were made");
  expect(headOf(second)).toEqual(headOf(first));
  expect(toolNames(second)).not.toContain("write_file");
  expect(toolNames(second)).toContain("read_file");
  expect(resultsOf(stage.exchanges[2])[0]?.text).toContain("write_file is not offered now");
  expect(place.has("made.txt")).toBe(false);
});

test("a user's persona stays as the session took it, and another takes its place where one is named again", async () => {
  const folder = join(place.folder, "data", "personas");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ours.md"), ours("Count twice."));
  const stage = await place.rehearse(
    "anthropic",
    ["one", "two", "three"].map((said) => ({ text: said })),
  );
  await stage.run(["--persona", "ours", "go"]);
  writeFileSync(join(folder, "ours.md"), ours("Count once."));
  await stage.run(["-c", "again"]);
  await stage.run(["-c", "--persona", "rust-expert", "again"]);
  const said = stage.exchanges.map(({ body }) =>
    ["Count twice.", "Count once.", "small steps that can", "idiomatic Rust"].filter((each) =>
      JSON.stringify(body).includes(each),
    ),
  );
  expect(said).toEqual([
    ["Count twice.", "small steps that can"],
    ["Count twice.", "small steps that can"],
    ["small steps that can", "idiomatic Rust"],
  ]);
});

test("a name that leads nowhere begins nothing", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never" }]);
  const run = await stage.run(["--persona", "nobody", "go"]);
  expect(run.stderr).toContain('there is no persona "nobody"');
  expect(run.code).toBe(2);
  expect(stage.exchanges).toEqual([]);
  expect((await place.run(["sessions", "list", "--json"])).stdout).toBe("");
});

test("personas are listed and shown with what they say and take away", async () => {
  const listed = await place.run(["personas"]);
  expect(listed.stdout).toMatch(/^base {2}[^]*^code-reviewer {2}[^]*^typescript-expert {2}/m);
  const shown = await place.run(["personas", "show", "code-reviewer"]);
  expect(shown.stdout).toMatch(/extends base\nwithout these tools: write_file[^]*You review code/);
  expect((await place.run(["personas", "show", "code-reviewr"])).stderr).toContain("code-reviewer");
});

test("in the terminal UI /persona chooses, says what there is, refuses what there is not, and takes away", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "One." }, { text: "Two." }]);
  const args = ["tui", "-m", "anthropic/rehearsal", "--persona", "documentation"];
  const terminal = startOnTerminal(place, args, { rows: 24, env: stage.env });
  await terminal.screenShows(/anthropic\/rehearsal · default/);
  terminal.type("/persona\r");
  await terminal.screenShows(/Personas: base, documentation\./);
  terminal.type("/persona nobody\r");
  await terminal.screenShows(/there is no persona "nobody"/);
  terminal.type("/persona rust-expert\r");
  await terminal.screenShows(/Personas: rust-expert\./);
  terminal.type("one\r");
  await terminal.screenShows(/One\.[^]*— done/);
  terminal.type("/persona none\r");
  await terminal.screenShows(/This session has no personas\./);
  terminal.type("two\r");
  await terminal.screenShows(/Two\.[^]*— done/);
  const isRust = stage.exchanges.map(({ body }) => JSON.stringify(body).includes("idiomatic Rust"));
  expect(isRust).toEqual([true, false]);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
