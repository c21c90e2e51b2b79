/** Listens on the socket that it is given until it is killed. */
import { memoryEngine } from "@capstan/testkit";
import { serveSocket } from "../src/index.ts";

const [path = ""] = process.argv.slice(2);
await serveSocket(path, memoryEngine(), { identity: { frontend: "test", role: "operate" }, version: "1" });
process.stdout.write("listening\n");
setInterval(() => undefined, 1000);
