import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Place } from "../stage/place.ts";
import type { OutputObject } from "../stage/read-output.ts";
import type { Run } from "../stage/run-capstan.ts";

export interface CalledByHand {
  readonly run: Run;
  readonly type: string;
  readonly code: string | undefined;
  readonly text: string;
  readonly details: OutputObject;
}

/** `run_command` with these arguments, as a user calls it. */
export async function callCommand(
  place: Place,
  args: object,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<CalledByHand> {
  const run = await place.run(["tools", "call", "run_command", JSON.stringify(args), "--json", ...flags], { env });
  const report: unknown = JSON.parse(run.lines[0] ?? "null");
  const outcome = objectIn(report, "outcome");
  return {
    run,
    type: String(outcome["type"]),
    code: typeof outcome["code"] === "string" ? outcome["code"] : undefined,
    text: String(outcome["content"]),
    details: objectIn(outcome, "details"),
  };
}

function objectIn(value: unknown, name: string): OutputObject {
  const found: unknown =
    typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
  return typeof found === "object" && found !== null ? { ...found } : {};
}

/** A repository with a commit, a protected file and a file in the home. */
export function furnish(place: Place): void {
  place.write(".env", "KEY=very-secret\n");
  place.write(".gitignore", ".env\n");
  writeFileSync(join(place.folder, "home", "private.txt"), "very-private\n");
  mkdirSync(join(place.folder, "outside"));
  const git = (...words: readonly string[]): unknown => execFileSync("git", words, { cwd: place.workspace });
  git("init", "--quiet");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.org");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
}

/** A server on loopback that counts who comes. @returns its port, and the paths that were asked for */
export async function listen(place: Place): Promise<{ readonly port: number; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("served\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address to listen on");
  return { port: address.port, asked };
}
