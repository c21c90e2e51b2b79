import { type Delays, gatherCrowd } from "../../host/test/hub/crowd/crowd.ts";
import { crowd } from "../limits.ts";

/** How late the clients of one session see what happens in it, half of them over its socket; all of them in this process. */
export async function measureCrowd(): Promise<Delays> {
  return (await gatherCrowd(crowd)).delays;
}
