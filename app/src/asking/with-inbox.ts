import { dataDirectory, type Inbox, openInbox } from "@capstan/host";
import { reportProblem } from "../report-error.ts";

/** Opens the inbox for as long as the work takes. */
export async function withInbox(work: (inbox: Inbox) => Promise<number>): Promise<number> {
  const inbox = await openInbox({ home: dataDirectory(process.env), env: process.env, report: reportProblem });
  try {
    return await work(inbox);
  } finally {
    await inbox.close();
  }
}
