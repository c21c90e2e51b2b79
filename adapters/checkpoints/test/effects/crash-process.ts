/** A process of its own that keeps or applies until somebody kills it: `crash-process.ts FOLDER WORK`, with JSON of what to do. */
import { createCheckpoints } from "../../src/index.ts";

const [folder = "", work = ""] = process.argv.slice(2);
const { workspace, scope, effects } = JSON.parse(work);
const checkpoints = createCheckpoints({ folder });
const { signal } = new AbortController();
process.stdout.write("started\n");
if (effects === undefined) await checkpoints.keep(workspace, scope, signal);
else await checkpoints.apply(workspace, effects, signal);
process.stdout.write("ended\n");
