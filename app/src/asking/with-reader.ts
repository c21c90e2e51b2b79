import { dataDirectory, openReader } from "@capstan/host";
import type { EngineClient } from "@capstan/protocol";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

/** The client API, for as long as the work takes, in a process that runs nothing: no configuration is read. */
export async function withReader<Result>(work: (client: EngineClient) => Promise<Result>): Promise<Result> {
  const home = dataDirectory(process.env);
  const client = await openReader({ home, env: process.env, version, report: reportProblem });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
