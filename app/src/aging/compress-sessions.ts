import { compressOldSessions, dataDirectory } from "@capstan/host";
import { readSince } from "./read-since.ts";

export interface CompressFlags {
  readonly olderThan: string;
  readonly json?: boolean;
}

const words = {
  cold: "compressed",
  damaged: "left as it is from a damaged record on: `capstan doctor` says which",
  used: "left as it is: somebody works in it",
  more: "not finished",
} as const;

/** `capstan sessions compress --older-than 30d`: stores the records of sessions compressed in which nothing happened since then. */
export async function compressSessionsCommand({ olderThan, json }: CompressFlags): Promise<number> {
  const before = readSince(olderThan, Date.now(), "--older-than");
  const ended = await compressOldSessions(dataDirectory(process.env), before);
  for (const step of ended) {
    process.stdout.write(`${json === true ? JSON.stringify(step) : `${step.sessionId}  ${words[step.state]}`}\n`);
  }
  if (json !== true && ended.length === 0) process.stderr.write("No session that old is uncompressed.\n");
  return 0;
}
