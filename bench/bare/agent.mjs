// The same work as `capstan run`, with node:http alone: no configuration, no checks, no journal, no screen.
// Usage: node agent.mjs URL PROMPT
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";

const [url, prompt] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const tools = [
  {
    name: "read_file",
    description: "Read a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];
const messages = [{ role: "user", content: prompt }];

for (;;) {
  const content = await ask();
  messages.push({ role: "assistant", content });
  const calls = content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  messages.push({ role: "user", content: await Promise.all(calls.map((call) => answer(call))) });
}
agent.destroy();

async function answer({ id, input }) {
  return { type: "tool_result", tool_use_id: id, content: await readFile(input.path, "utf8") };
}

function ask() {
  const body = JSON.stringify({ model: "rehearsal", max_tokens: 1024, stream: true, tools, messages });
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-api-key": "none",
      "anthropic-version": "2023-06-01",
    };
    const call = request(`${url}/v1/messages`, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      const blocks = [];
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) if (line.startsWith("data: ")) take(JSON.parse(line.slice(6)), blocks);
      });
      response.on("end", () => resolve(blocks.map(finish)));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}

function take(event, blocks) {
  if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
  if (event.type !== "content_block_delta") return;
  if (event.delta.type === "text_delta") blocks[event.index].text += event.delta.text;
  if (event.delta.type === "input_json_delta") blocks[event.index].json += event.delta.partial_json;
}

function finish({ json, ...block }) {
  return block.type === "tool_use" ? { ...block, input: JSON.parse(json) } : block;
}
