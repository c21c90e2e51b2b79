import { type Place, run, start, typed } from "./capstan.ts";

/** What `interactions watch --json` says of something that was asked or settled. */
interface Change {
  readonly event: "opened" | "settled";
  readonly id: string;
  readonly request?: { readonly type: string; readonly action?: { readonly effect: string; readonly summary: string } };
}

/** Watches from a process of its own what waits for a user, and answers each question from yet another one. */
export function answerQuestions(place: Place, say: (text: string) => void): { readonly close: () => Promise<void> } {
  let answering = Promise.resolve();
  const watch = start(place, ["interactions", "watch", "--json"], (line) => {
    const change: Change = JSON.parse(line);
    if (change.event === "opened") answering = answering.then(() => answer(place, change, say));
  });
  return {
    async close() {
      watch.child.kill("SIGTERM");
      await watch.ended;
      await answering;
    },
  };
}

/** Changes of files are approved; nothing else that a model may want is. */
async function answer(place: Place, { id, request }: Change, say: (text: string) => void): Promise<void> {
  const isChange = request?.type === "approval" && request.action?.effect === "write";
  const words = isChange ? ["--approve", "--remember", "workspace"] : ["--deny"];
  const args = ["interactions", "answer", id, ...words];
  say(`\nMeanwhile, in a second process: ${request?.action?.summary ?? "something waits for an answer"}`);
  place.print(typed(args));
  await run(place, args);
}
