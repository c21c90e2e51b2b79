import { once } from "node:events";
import { environmentRedactor } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { type ForwardedExchange, type Recorder, startRecorder } from "@capstan/rehearsal";
import type { RehearseFlags } from "./rehearse-flags.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";

/** `capstan rehearse --record FILE --target URL`: stands between a client and a real endpoint, until it is interrupted. */
export async function recordEndpoint(file: string, flags: RehearseFlags, port: number): Promise<number> {
  if (flags.target === undefined) {
    throw new AppError("usage.invalid", "--record needs --target URL, the endpoint to record", {
      hint: "For example `--target https://api.anthropic.com`.",
    });
  }
  const stop = new AbortController();
  let exitCode = 0;
  const recorder = await startRecorder({
    target: flags.target,
    file,
    replace: flags.force === true,
    port,
    redact: environmentRedactor(process.env),
    onExchange: (exchange) => process.stderr.write(`${described(exchange)}\n`),
    onFailure: (error) => {
      reportError(error);
      exitCode = 1;
      stop.abort();
    },
  });
  process.stdout.write(
    `Recording ${flags.target} into ${file} at ${recorder.url}\n${addresses(recorder)}` +
      "Keys are passed on, and not recorded. Interrupt with Ctrl-C.\n",
  );
  onStopSignal(() => stop.abort());
  if (!stop.signal.aborted) await once(stop.signal, "abort");
  await recorder.close();
  return exitCode;
}

function described({ status, wire, path, end, problem }: ForwardedExchange): string {
  const remark = problem ?? (end === "broken-off" ? "broken off" : undefined);
  return `${status} ${wire} ${path}${remark === undefined ? "" : ` — ${remark}`}`;
}

/** A base URL with a path keeps it, so that a client asks here for what it would ask for there. */
function addresses({ url, basePath }: Recorder): string {
  return [
    `  ANTHROPIC_BASE_URL=${url}${basePath} capstan run -m anthropic/MODEL "…"\n`,
    `  OPENAI_BASE_URL=${url}${basePath === "" ? "/v1" : basePath} capstan run -m openai/MODEL "…"   (or openai-chat/)\n`,
    `  GEMINI_BASE_URL=${url}${basePath} capstan run -m google/MODEL "…"\n`,
  ].join("");
}
