// Reads one stream again and again with node:http and eventsource-parser, and says what CPU time that took.
// Usage: node read-stream.mjs WIRE URL READS loopback | loopback-json | memory | memory-json
import { request } from "node:http";
import { createParser } from "eventsource-parser";
import { wires } from "./wires.mjs";

const [name, url, reads, way] = process.argv.slice(2);
const wire = wires[name];
let events = 0;
const onEvent = way.endsWith("-json")
  ? ({ data }) => {
      if (data !== "[DONE]") JSON.parse(data);
      events += 1;
    }
  : () => {
      events += 1;
    };

const pieces = [];
const fromMemory = way.startsWith("memory");
if (fromMemory) await ask((piece) => pieces.push(piece));
await read();
const before = process.cpuUsage();
for (let count = 0; count < Number(reads); count += 1) await read();
const { user, system } = process.cpuUsage(before);
if (events === 0) throw new Error("the stream had no events");
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000 / Number(reads) }));

async function read() {
  const parser = createParser({ onEvent });
  const decoder = new TextDecoder();
  const feed = (piece) => parser.feed(decoder.decode(piece, { stream: true }));
  if (fromMemory) pieces.forEach(feed);
  else await ask(feed);
}

function ask(onPiece) {
  return new Promise((resolve, reject) => {
    const call = request(`${url}${wire.path}`, { method: "POST", headers: wire.headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      response.on("data", onPiece);
      response.on("end", resolve);
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(JSON.stringify(wire.body([wire.said("go")])));
  });
}
