import { openArchive } from "@capstan/host";
import { toSessionId } from "@capstan/protocol";
const a = await openArchive({ home: process.argv[2] ?? "" });
for (const { seq, record: r } of await a.read(toSessionId("tortured"))) {
  const t = JSON.stringify(r, (k, v) =>
    k === "tools" || k === "systemPrompt" || k === "config" || k === "checkpoint" ? "…" : v,
  );
  console.log(seq, t.slice(0, Number(process.argv[3] ?? 300)));
}
await a.close();
