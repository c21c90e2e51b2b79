// Reads the lines of a file and parses each: what whoever reads a session does at the least.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

let records = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2]) }))
  if ("seq" in JSON.parse(line)) records += 1;
process.stdout.write(`${records}\n`);
