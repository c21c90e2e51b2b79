/** Owns a session until it is killed: `node … owner-process.ts ROOT WORDS`. Its model falls silent in the middle of a long answer. */
import { userText } from "@capstan/protocol";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { actTool, obedientProviders } from "./obedient-model.ts";
import { hostIn } from "./shared-home.ts";

const silentAfter = 20;
const [root = "", words = ""] = process.argv.slice(2);

const host = await hostIn(root, {
  isShared: true,
  providers: obedientProviders((at) => (at > silentAfter ? new Promise(() => undefined) : `${at} `)),
  tools: [actTool((acted) => appendFileSync(join(root, "acted"), `owner ${acted}\n`))],
});
const identity = { frontend: "owner", role: "operate" } as const;
const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
if (words !== "") {
  const turnId = host.client.newTurnId();
  await session.submit({ type: "user-input", turnId, content: userText(words) });
}
process.stdout.write(`${session.id}\n`);
setInterval(() => undefined, 1000);
