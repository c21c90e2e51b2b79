import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "@capstan/policy";
import { readTetherPolicy } from "@capstan/importers";
import { onTestFinished } from "vitest";
import type { PolicyFile } from "../../src/policy/policy-file.ts";
import { readPolicyFile } from "../../src/policy/read-policy-files.ts";
import { type commandCall, workspace } from "./calls.ts";

/** A policy file in a directory of its own. */
export interface WrittenPolicy {
  readonly read: () => Promise<PolicyFile>;
  /** Message of the error, without the directory. */
  readonly failure: () => Promise<string>;
}

export function writtenPolicy(name: string, text: string): WrittenPolicy {
  const folder = mkdtempSync(join(tmpdir(), "capstan-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  const read = (): Promise<PolicyFile> => readPolicyFile(name, { cwd: folder, readYaml: readTetherPolicy });
  const failure = async (): Promise<string> => {
    try {
      await read();
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(folder, "") : String(error);
    }
    throw new Error("the file was accepted");
  };
  return { read, failure };
}

/** What a policy alone says to a call. */
export function verdictOf({ rules, approval = "default" }: PolicyFile, call: ReturnType<typeof commandCall>): string {
  const sandbox = {
    isolation: { type: "none", reason: "none" },
    autoRun: false,
    withoutIsolation: "run",
    hosts: [],
  } as const;
  return judge(call, {
    policy: { rules, approval, yolo: false },
    mode: "default",
    workspace,
    sandbox,
    frontend: "cli",
    now: 0,
  }).verdict;
}
