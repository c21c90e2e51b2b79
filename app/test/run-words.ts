import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { runProgram } from "../src/program.ts";

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables of whoever runs the tests that would change what commands say. */
const foreignVariables = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "CAPSTAN_MODEL",
  "CAPSTAN_DEBUG",
];

/** Runs a command line in this process, and captures its output. Not for commands that read standard input. */
export async function runWords(args: readonly string[], home?: string): Promise<Said> {
  for (const name of foreignVariables) vi.stubEnv(name, undefined);
  vi.stubEnv("CAPSTAN_HOME", home ?? join(newFolder(), "home"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = receive(process.stdout);
  const error = receive(process.stderr);
  try {
    return { code: await runProgram(args), stdout: out.text(), stderr: error.text() };
  } finally {
    out.stop();
    error.stop();
  }
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-app-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function receive(stream: NodeJS.WriteStream): { readonly text: () => string; readonly stop: () => void } {
  const pieces: string[] = [];
  const write = stream.write.bind(stream);
  stream.write = (piece: string | Uint8Array) => {
    pieces.push(typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8"));
    return true;
  };
  return {
    text: () => pieces.join(""),
    stop: () => {
      stream.write = write;
    },
  };
}
