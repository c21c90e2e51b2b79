/** Capstan inside a program, with a provider that the program brings along: `npx tsx --conditions=source examples/custom-provider/run.ts` */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, loadSettings } from "@capstan/host";
import { type SessionEvent, userText } from "@capstan/protocol";
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
const settings = await loadSettings({
  env: { PATH: process.env["PATH"], CAPSTAN_HOME: join(folder, "home") },
  cwd: workspace,
  sets: ["app.model=parrot/grey", "permissions.mode=accept-edits"],
  flags: [],
  safeMode: false,
  addDirectories: [],
  yolo: false,
});
const host = await createHost(settings, {
  askPolicy: "deny",
  interactionExpiryMs: null,
  onUnknown: "fail",
  version: "example",
  report: (error) => console.error(error),
  providers: {
    parrot: {
      wire: "line-talk",
      create: () => createLineTalkProvider({ name: "parrot", baseUrl: server.url }),
    },
  },
});
try {
  const outcome = await takeTurn("Let the greeting name line talk.");
  const greeting = readFileSync(join(workspace, "greeting.txt"), "utf8");
  console.log(`\n${outcome} after ${server.asked.length} requests; the file says: ${greeting.trim()}`);
  process.exitCode = outcome === "done" && greeting === "Hello, line talk.\n" ? 0 : 1;
} finally {
  await host.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** One turn, reported as it happens; returns the word it ended with. */
async function takeTurn(words: string): Promise<string> {
  const identity = { frontend: "example", role: "operate" } as const;
  const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
  try {
    await session.submit({ type: "user-input", turnId: host.client.newTurnId(), content: userText(words) });
    for await (const frame of session.attach(0)) {
      if (frame.type !== "record") continue;
      show(frame.event);
      if (frame.event.record.type === "turn-ended") return frame.event.record.outcome;
    }
    return "closed";
  } finally {
    await session.close();
  }
}

function show({ record }: SessionEvent): void {
  if (record.type === "text-delta") process.stdout.write(record.delta);
  if (record.type === "tool-decided") console.log(`\n→ ${record.action.summary} (${record.judgement.verdict})`);
}
