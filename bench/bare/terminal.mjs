// What a terminal costs by itself. `answer URL`: asks the model and writes its words, thirty times a second. `keys`: writes each key back.
import { request } from "node:http";
import { wires } from "./wires.mjs";

const [what, url] = process.argv.slice(2);
const frameMs = 33;
if (what === "keys") {
  process.stdin.setRawMode(true);
  process.stdin.on("data", (key) => process.stdout.write(key));
  process.stdout.write("ready");
} else writeAnswer();

function writeAnswer() {
  const wire = wires.anthropic;
  const body = JSON.stringify(wire.body([wire.said("go")]));
  const headers = { ...wire.headers, "content-length": Buffer.byteLength(body) };
  const call = request(`${url}${wire.path}`, { method: "POST", headers }, (response) => {
    let [rest, waiting] = ["", ""];
    const paint = () => {
      if (waiting !== "") process.stdout.write(`\u001b[?2026h${waiting.replaceAll("\n", "\r\n")}\u001b[?2026l`);
      waiting = "";
    };
    const timer = setInterval(paint, frameMs);
    response.setEncoding("utf8");
    response.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const event = line.startsWith("data: ") ? JSON.parse(line.slice(6)) : {};
        if (event.type === "content_block_delta") waiting += event.delta.text ?? "";
      }
    });
    response.on("end", () => {
      clearInterval(timer);
      paint();
    });
  });
  call.end(body);
}
