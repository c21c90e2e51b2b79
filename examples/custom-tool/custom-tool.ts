/** A tool of a program. The model reads its text; programs read its details, which are held to `outputSchema`. */
import { Engine, type ProgramTool } from "capstan";

const stock = new Map([
  ["apples", 12],
  ["pears", 0],
]);

const countStock: ProgramTool = {
  name: "count_stock",
  description: "Says how many pieces of an article are in stock.",
  inputSchema: { type: "object", properties: { article: { type: "string" } }, required: ["article"] },
  outputSchema: { type: "object", properties: { pieces: { type: "integer" } }, required: ["pieces"] },
  // It changes nothing, so that nobody is asked.
  effect: "read",
  execute: async ({ article }, { report }) => {
    report(`Looking for ${String(article)}`);
    const pieces = stock.get(String(article));
    if (pieces === undefined) return { content: `There is no article ${String(article)}.`, failed: true };
    return { content: `${pieces} pieces`, details: { pieces } };
  },
};

const engine = new Engine({ tools: [countStock] });
const run = engine.run("How many apples are there?", {
  onToolCall: ({ action }) => console.log(`Calls ${action.tool} with ${JSON.stringify(action.arguments)}`),
  onToolResult: ({ outcome }) => console.log(`It ended: ${outcome.type}`),
});
const result = await run.result();
console.log(result.type === "ended" ? result.text : result);
await engine.shutdown();
