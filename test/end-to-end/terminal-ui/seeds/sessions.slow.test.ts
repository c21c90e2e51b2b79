/** What the seeds want of sessions, commands and settings; the fast tests of each part promise it. */
import { expect, test } from "vitest";
import { lastUserText } from "../../stage/read-request.ts";
import { leave, typed, useSeedStage } from "./use-seed-stage.ts";

const seeds = useSeedStage();
const { place } = seeds.inbox;

test("D21 sessions are listed, found by their words, resumed and deleted on the screen", async () => {
  const { terminal, stage } = await seeds.open([
    { text: "About ships." },
    { text: "About trains." },
    { text: "More ships." },
  ]);
  await typed(terminal, "tell me of ships\r", /About ships\.[^]*— done/);
  await typed(terminal, "/rename All about ships\r", /rehearsal · default/);
  // What is typed while the other session opens is said in that one.
  terminal.type("/new\r");
  await typed(terminal, "tell me of trains\r", /About trains\.[^]*— done/);
  await typed(terminal, "/sessions ships\r", /All about ships/);
  await typed(terminal, "\r", /About ships\.[^]*› \n/);
  await typed(terminal, "tell me more\r", /More ships\.[^]*— done/);
  await typed(terminal, "/delete\r", /Delete a session for good[^]*trains/);
  await typed(terminal, "\r", /It cannot be brought back/);
  await typed(terminal, "delete\r", /It is deleted\./);
  await leave(terminal);
  const listed = (await place.run(["sessions", "list"])).stdout;
  expect(listed).toContain("All about ships");
  expect(listed).not.toContain("trains");
  expect(stage.exchanges.map((exchange) => lastUserText(exchange).split("\n").at(-1))).toEqual([
    "tell me of ships",
    "tell me of trains",
    "tell me more",
  ]);
});

test("D21 in the list of sessions one is renamed, deleted and forked by keys; deleting asks once, and the list stays", async () => {
  const { terminal } = await seeds.open([{ text: "About ships." }, { text: "About trains." }, { text: "More." }]);
  await typed(terminal, "tell me of ships\r", /About ships\.[^]*— done/);
  terminal.type("/new\r");
  await typed(terminal, "tell me of trains\r", /About trains\.[^]*— done/);
  terminal.type("/new\r");
  await typed(terminal, "/sessions\r", /› tell me of trains[^]*\^R renames · \^F forks · \^D deletes/);
  await typed(terminal, "\u0004", /Delete "tell me of trains" for good/);
  await typed(terminal, "\r", /› tell me of trains[^]*\^D deletes/);
  await typed(terminal, "\u0004", /Delete "tell me of trains" for good/);
  terminal.type("\u001b[B");
  await terminal.screenShows(/› delete it/);
  await typed(terminal, "\r", /Open a session · 1 of 1[^]*› tell me of ships/);
  await typed(terminal, "\u0012", /It is called: tell me of ships/);
  await typed(terminal, "All about ships\r", /› All about ships/);
  await typed(terminal, "\u0006", /About ships\.[^]*This is a copy/);
  await typed(terminal, "tell me more\r", /More\.[^]*— done/);
  await leave(terminal);
  const listed = (await place.run(["sessions", "list"])).stdout;
  expect(listed.match(/ships/g)).toHaveLength(2);
  expect(listed).not.toContain("trains");
});

test.each(["commit", "test", "review", "fix", "explain"])(
  "D25 /%s says the same in the chat, a second time, and on the command line",
  async (name) => {
    const { terminal, stage } = await seeds.open([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    await typed(terminal, `/${name} the first part\r`, /One\.[^]*— done/);
    await typed(terminal, `/${name} the first part\r`, /Two\.[^]*— done/);
    await leave(terminal);
    expect((await stage.run([`/${name} the first part`])).code).toBe(0);
    const body = (await place.run(["commands", "show", name])).stdout.trimEnd();
    expect(body.length).toBeGreaterThan(50);
    for (const exchange of stage.exchanges) expect(lastUserText(exchange)).toContain(`${body}\n\nthe first part`);
  },
);

test("D27 the settings editor, a report of the system without secrets, a word on updates, and /init", async () => {
  const { terminal, stage } = await seeds.open([{ text: "Written." }]);
  await typed(terminal, "/settings vim\r", /tui\.vim = false/);
  await typed(terminal, "\u001b", /› \n/);
  await typed(terminal, "/init\r", /Written\.[^]*— done/);
  expect(lastUserText(stage.exchanges[0])).toContain("write an AGENTS.md at its root");
  await leave(terminal);
  const report = await place.run(["doctor", "--report"], {
    env: { ...stage.env, ANTHROPIC_API_KEY: "sk-ant-very-secret" },
  });
  expect(report.stdout).toContain(process.versions.node);
  expect(report.stdout).not.toContain("very-secret");
  const update = await place.run(["update", "--check"], { env: { npm_config_registry: "http://127.0.0.1:9" } });
  expect(update.stderr + update.stdout).not.toBe("");
});

test("P22 sessions that were saved on the command line are searched, renamed and resumed there", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "About ships." }, { text: "More ships." }]);
  expect((await stage.run(["--session-id", "ships-1", "tell me of ships"])).code).toBe(0);
  expect((await place.run(["sessions", "rename", "ships-1", "All about ships"])).code).toBe(0);
  expect((await place.run(["sessions", "list", "About", "SHIPS"])).stdout).toContain("ships-1");
  expect((await place.run(["sessions", "list", "trains"])).stdout).toBe("No session has these words.\n");
  expect((await stage.run(["--resume", "ships-1", "tell me more"])).stdout).toBe("More ships.\n");
  const terminal = await seeds.again(stage, ["-r", "ships-1"]);
  await terminal.screenShows(/All about ships[^]*About ships\.[^]*More ships\./);
  await leave(terminal);
});
