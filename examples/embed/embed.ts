import { Engine, type ProgramTool } from "capstan";

const bell: ProgramTool = {
  name: "ring_bell",
  description: "Rings the bell of the house.",
  inputSchema: { type: "object", properties: { times: { type: "integer" } }, required: ["times"] },
  effect: "execute",
  execute: async ({ times }) => `The bell rang ${Number(times)} times.`,
};
const engine = new Engine({
  tools: [bell],
  onApproval: ({ request, digest }) => {
    if (request.type !== "approval") return undefined;
    console.log(`Approved: ${request.action.summary}`);
    return { type: "approve", digest };
  },
});
const session = await engine.open();
console.log(await session.send("Ring the bell twice.").result());
await engine.shutdown();
