import type { SandboxReport, ToolResult } from "@capstan/ports";
import { type Confinement, isJsonObject, type JsonObject } from "@capstan/protocol";
import { type ConfinedEnd, quarantineTexts, runsLaterLine, sandboxNotes } from "./sandbox-notes.ts";

type Sandboxed = Extract<Confinement, { readonly type: "sandbox" }>;

/** A command's result with the sandbox's part in it: in the text for the model, in the details for people. */
export function confinedResult(
  result: ToolResult,
  report: SandboxReport,
  confinement: Sandboxed,
  places: Pick<ConfinedEnd, "home" | "opened">,
): ToolResult {
  if (result.details === undefined || !isJsonObject(result.details)) return result;
  const launch = launchFailure(result.content, result.details);
  if (launch !== undefined) {
    const content = `The sandbox could not be made: ${launch} The command was not run; it is not tried outside.`;
    return { status: "failed", code: "sandbox.failed", content };
  }
  const exitCode = result.details["exitCode"];
  const notes = sandboxNotes(
    { exitCode: typeof exitCode === "number" ? exitCode : null, output: result.content, report, ...places },
    confinement,
  );
  const later = runsLaterLine(report);
  const { runsLater, quarantined, refusedHosts } = report;
  const details = {
    ...result.details,
    ...(later === undefined ? {} : { runsLater: [...runsLater] }),
    ...(quarantined.length === 0 ? {} : { quarantined: [...quarantineTexts(report)] }),
    ...(refusedHosts.length === 0 ? {} : { refusedHosts: [...refusedHosts] }),
  };
  const content = notes.length === 0 ? result.content : `${result.content.replace(/\n$/, "")}\n${notes.join("\n")}`;
  return { ...result, content, details };
}

/** What bubblewrap says when it cannot set itself up, alone and before anything else could be said. */
function launchFailure(content: string, { exitCode, stdoutBytes }: JsonObject): string | undefined {
  if (exitCode !== 1 || stdoutBytes !== 0) return undefined;
  const [, said] = /^[^\n]*\n(bwrap: [^\n]+)\n?$/.exec(content) ?? [];
  return said;
}
