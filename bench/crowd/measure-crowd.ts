import { type Delays, gatherCrowd } from "../../host/test/hub/crowd/crowd.ts";
import { crowd } from "../limits.ts";

/** How late the clients of one session see what happens in it, half of them over its socket; all of them in this process. */
export async function measureCrowd(): Promise<Delays> {
  // The first clients of a process load what it takes to serve them.
  await gatherCrowd({ ...crowd, clients: 4, characters: 40_000, calls: 4, steps: 2 });
  const { delays, finishedCalls } = await gatherCrowd(crowd);
  if (finishedCalls !== crowd.calls) throw new Error(`the turn of the crowd ended after ${finishedCalls} calls`);
  return delays;
}
