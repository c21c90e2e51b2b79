import { setTimeout as wait } from "node:timers/promises";

/** Waits for something that must come soon; ten seconds at most. */
export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 1000) throw new Error("it did not come about");
    await wait(10);
  }
}
