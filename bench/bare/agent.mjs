// The same work as `capstan run`, with node:http alone: no configuration, no checks, no journal, no screen.
// Usage: node agent.mjs WIRE URL PROMPT
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { promisify } from "node:util";
import { wires } from "./wires.mjs";

const [name, url, prompt] = process.argv.slice(2);
const wire = wires[name];
const agent = new Agent({ keepAlive: true });
const run = promisify(execFile);
const history = [wire.said(prompt)];

for (;;) {
  const { entries, calls } = wire.finish(await ask());
  history.push(...entries);
  if (calls.length === 0) break;
  const results = calls.map(async ({ id, path, command }) => ({
    id,
    text: command === undefined ? await readFile(path, "utf8") : (await run("/bin/bash", ["-c", command])).stdout,
  }));
  history.push(...wire.results(await Promise.all(results)));
}
agent.destroy();

function ask() {
  const body = JSON.stringify(wire.body(history));
  return new Promise((resolve, reject) => {
    const headers = { ...wire.headers, "content-length": Buffer.byteLength(body) };
    const call = request(`${url}${wire.path}`, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      const answer = wire.begin();
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text) => {
        // Nothing is looked through twice: a line may be as long as the answer.
        const end = text.lastIndexOf("\n");
        const lines = end < 0 ? [] : (rest + text.slice(0, end)).split("\n");
        rest = end < 0 ? rest + text : text.slice(end + 1);
        for (const line of lines) {
          if (line.startsWith("data: ") && line !== "data: [DONE]") wire.take(JSON.parse(line.slice(6)), answer);
        }
      });
      response.on("end", () => resolve(answer));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}
