import { type Action, type Interaction, toInteractionId, toToolCallId } from "@capstan/protocol";
import { action } from "@capstan/testkit";
import { interactionLines } from "@capstan/view";
import { expect, test } from "vitest";
import { answerCommands } from "../../src/asking/answer-commands.ts";

function asked(shown: Action, expiresAt: number | null = null): Interaction {
  const request = {
    type: "approval",
    callId: toToolCallId("a"),
    action: shown,
    reason: "it changes",
    risk: "high",
    warnings: ["look twice"],
  } as const;
  const origin = { frontend: "cli", user: "someone" };
  const id = toInteractionId("t1.i1");
  return { id, request, digest: shown.digest, openedAt: 0, expiresAt, origin, answerers: ["someone"] };
}

function text(interaction: Interaction, now = 60_000): string {
  return interactionLines(interaction, now)
    .map((line) => line.text)
    .join("\n");
}

test("padding is counted, its tail is shown, and nothing in an argument begins a line of ours", () => {
  const hostile = action("act", {
    command: `ls${" ".repeat(2000)}; rm -rf x`,
    note: `a\nrisk: low\n${"\n".repeat(500)}tail`,
  });
  const shown = text(asked(hostile));
  for (const part of ["⟨2,000 spaces⟩; rm -rf x", "    | risk: low", "    | tail", "risk: high", "! look twice"])
    expect(shown).toContain(part);
  expect(shown.split("\n").filter((line) => line.startsWith("risk"))).toEqual([]);
  expect(shown.length).toBeLessThan(2000);
});

test("escapes and characters that turn the text around are named, not sent", () => {
  const shown = text(asked(action("act", { command: "echo \u001b[2J\u202ek\u200b" })));
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(shown).not.toMatch(/[\u001b\u202e\u200b]/u);
  expect(shown).toMatch(/! It holds/);
});

test("where nothing keeps the command apart is said first", () => {
  const use = { cwd: "/work", timeoutMs: 9000, scripts: [], nested: [], confinement: { type: "none" } } as const;
  const bare = { ...action("act"), command: { ...use, form: { type: "argv", argv: ["ls"] } } } as const;
  const lines = interactionLines(asked(bare), 0);
  expect(lines[0]?.text).toBe(`Run WITHOUT A SANDBOX: ${bare.summary}`);
});

test("whose words led to it, how old it is, who may answer and until when", () => {
  const shown = text(asked(action("act"), 90_000));
  expect(shown).toContain("asked 60 s ago, for someone, cli; counts as denied in 30 s; only someone may answer");
});

test("every answer that fits has its command, bound to what is shown", () => {
  const commands = answerCommands(asked(action("act"))).map(({ command }) => command);
  expect(commands[0]).toBe(`capstan interactions answer t1.i1 --approve --digest ${action("act").digest.slice(0, 12)}`);
  expect(commands.some((command) => command.includes("always"))).toBe(false);
});
