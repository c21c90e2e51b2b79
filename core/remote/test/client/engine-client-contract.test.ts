/** The contract holds for an engine, and for the same engine through lines. */
import { engineClientContract, type EngineUnderTest, memoryEngine } from "@capstan/testkit";
import type { EngineClient } from "@capstan/protocol";
import { RemoteEngine, serveEngine } from "../../src/index.ts";
import { connected } from "../pipe.ts";

engineClientContract("in memory", async () => {
  const engine = memoryEngine();
  return { connect: async () => engine, dispose: () => engine.close() };
});

engineClientContract("through lines", async (): Promise<EngineUnderTest> => {
  const engine = memoryEngine();
  const clients: EngineClient[] = [];
  const served: Promise<void>[] = [];
  return {
    async connect() {
      const { client, server } = connected();
      const identity = { frontend: "test", role: "operate" } as const;
      served.push(serveEngine(engine, server, { identity, mayName: true, version: "1", processId: 1 }));
      const remote = await RemoteEngine.connect(client);
      clients.push(remote);
      return remote;
    },
    async dispose() {
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all(served);
    },
  };
});
