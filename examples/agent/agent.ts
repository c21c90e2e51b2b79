/** An agent: its Markdown file says what it is for, and it works in a session of its own. */
import { Engine } from "capstan";

const engine = new Engine({ requires: ["agents"] });
const run = engine.run("Have the letter reviewed.", {
  onToolCall: ({ action }) => console.log(`${action.tool}: ${action.summary}`),
});
const result = await run.result();
console.log(result.type === "ended" ? result.text : result);
const { sessions } = await engine.client();
for (const { spawnedBy, turns } of await sessions.list())
  console.log(spawnedBy === undefined ? "a session" : `a session of ${spawnedBy.agent}`, turns);
await engine.shutdown();
