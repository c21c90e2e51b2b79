/** What makes room in a conversation: here the last words of each message, without asking a model. */
import { type Compactor, Engine, type Message } from "capstan";

const wordsKept = 20;

const lastWords: Compactor = {
  summarize: async ({ messages }) => messages.map((message) => `${message.role}: ${endOf(message)}`).join("\n"),
};

function endOf({ content }: Message): string {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  return text.split(/\s+/).slice(-wordsKept).join(" ");
}

const engine = new Engine({ compactors: { "last-words": lastWords }, set: { "context.compactor": "last-words" } });
const session = await engine.open();
for (const topic of ["the sea", "the hills", "the rain"]) await session.send(`Tell me of ${topic}.`).result();
console.log(await session.client.submit({ type: "compact" }));
const result = await session.send("What did we speak of?").result();
console.log(result.type === "ended" ? result.text : result);
console.log((await session.client.snapshot()).summaries, "summary");
await engine.shutdown();
