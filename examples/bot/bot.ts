/** A bot for several people: only some may use it, each of them so often, and it writes down what happens. */
import { allowUsers, Engine, rateLimit } from "capstan";

const engine = new Engine({
  middleware: [
    allowUsers(["ada", "grace"]),
    rateLimit({ perMinute: 1, burst: 1 }),
    {
      name: "guests",
      enter: ({ identity }) => (identity.user === "grace" ? { type: "lower", role: "ask" } : undefined),
    },
  ],
});
engine.events.on("message.in", ({ user, text }) => console.log(`${user} wrote: ${text}`));
engine.events.on("message.out", ({ text }) => console.log(`The bot wrote: ${text}`));

for (const user of ["ada", "ada", "mallory"]) {
  try {
    const result = await engine.run(`I am ${user}.`, { user }).result();
    if (result.type === "refused") console.log(`${user} was refused: ${result.reason}`);
  } catch (error) {
    console.log(`${user} was turned away: ${String(error)}`);
  }
}
await engine.shutdown();
