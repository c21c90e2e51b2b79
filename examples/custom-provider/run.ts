/** Capstan inside a program, with a provider that the program brings along. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, type SessionEvent } from "capstan";
import { createLineTalkProvider } from "./line-talk-provider.ts";
import { serveLineTalk, writeLines } from "./line-talk-server.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-custom-provider-"));
const workspace = join(folder, "workspace");
mkdirSync(workspace);
writeFileSync(join(workspace, "greeting.txt"), "Hello, world.\n");

/** What the pretended model says to each request. */
const answers = [
  [
    { text: "I read the greeting. " },
    { call: { name: "read_file", arguments: { path: "greeting.txt" } } },
    { end: { read: 900, written: 20 } },
  ],
  [
    {
      call: {
        name: "edit_file",
        arguments: { path: "greeting.txt", old_string: "world", new_string: "line talk" },
      },
    },
    { end: { read: 1000, written: 40 } },
  ],
  [{ text: "The greeting now " }, { text: "names line talk." }, { end: { read: 1100, written: 10 } }],
];

const server = await serveLineTalk((response, request) => {
  writeLines(response, answers[request] ?? [{ end: {} }]);
  response.end();
});
const engine = new Engine({
  home: join(folder, "home"),
  cwd: workspace,
  env: { PATH: process.env["PATH"] },
  model: "parrot/grey",
  mode: "accept-edits",
  providers: {
    parrot: {
      wire: "line-talk",
      create: () => createLineTalkProvider({ name: "parrot", baseUrl: server.url }),
    },
  },
});
try {
  const run = engine.run("Let the greeting name line talk.");
  for await (const event of run) show(event);
  const result = await run.result();
  const outcome = result.type === "ended" ? result.outcome : result.type;
  const greeting = readFileSync(join(workspace, "greeting.txt"), "utf8");
  console.log(`\n${outcome} after ${server.asked.length} requests; the file says: ${greeting.trim()}`);
  process.exitCode = outcome === "done" && greeting === "Hello, line talk.\n" ? 0 : 1;
} finally {
  await engine.shutdown();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

function show({ record }: SessionEvent): void {
  if (record.type === "text-delta") process.stdout.write(record.delta);
  if (record.type === "tool-decided") console.log(`\n→ ${record.action.summary} (${record.judgement.verdict})`);
}
