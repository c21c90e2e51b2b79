/** `npm run simulate -- --schedules N --seed S`: lives of simulated sessions. Exit code 1 when one of them broke something. */
import { parseArgs } from "node:util";
import { simulate } from "./simulate.ts";

const defaultSchedules = "10000";
const { values } = parseArgs({
  options: { schedules: { type: "string", default: defaultSchedules }, seed: { type: "string", default: "1" } },
});
const [schedules, seed] = [Number(values.schedules), Number(values.seed)];
if (!Number.isSafeInteger(schedules) || !Number.isSafeInteger(seed))
  throw new Error(`--schedules and --seed take whole numbers, not ${values.schedules} and ${values.seed}`);
process.exitCode = await simulate(schedules, seed);
