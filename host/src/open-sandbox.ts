import type { Sandbox } from "@capstan/ports";
import { AppError, type Isolation, type SandboxSettings } from "@capstan/protocol";
import type { DataDirectory } from "./data-dir.ts";
import type { Settings } from "./load-settings.ts";
import { sandboxSettings } from "./session/session-config.ts";

/** The sandbox of commands; nothing is tried before it is asked for. */
export function openSandbox(_settings: Settings, _data: DataDirectory): Sandbox {
  return {
    test: async () => ({ type: "none", reason: "it is not built in yet" }),
    enter: async () => {
      throw new AppError("internal.bug", "a command was to be confined without a sandbox");
    },
  };
}

/** What the sandbox means for decisions where a person is there to be asked. @throws AppError `sandbox.unavailable` */
export async function sandboxFor(settings: Settings, sandbox: Sandbox): Promise<SandboxSettings> {
  const isolation = await isolationFor(settings, sandbox);
  return sandboxSettings(settings.loaded.values, { isolation, attendance: "ask" });
}

/**
 * What the self-test finds, where the person wants a sandbox.
 * @throws {AppError} `sandbox.unavailable` when they want nothing without it
 */
export async function isolationFor({ loaded }: Settings, sandbox: Sandbox): Promise<Isolation> {
  const { mode } = loaded.values.sandbox;
  if (mode === "off") return { type: "none", reason: "it is switched off" };
  const isolation = await sandbox.test();
  if (mode === "required" && isolation.type !== "enforced") throw unavailable(isolation);
  return isolation;
}

function unavailable(isolation: Exclude<Isolation, { readonly type: "enforced" }>): AppError {
  const why = isolation.type === "none" ? isolation.reason : `it does not keep apart: ${isolation.lacks.join(", ")}`;
  return new AppError("sandbox.unavailable", `the sandbox is required, and this machine has none: ${why}`, {
    hint: "Install bubblewrap (`apt install bubblewrap`), see `capstan doctor`, or leave `required` out.",
  });
}
