/** The contract holds for the real hub over real SQLite: in this process, and through the socket of the session's owner. */
import { engineClientContract, type EngineUnderTest, isSlowTier } from "@capstan/testkit";
import type { Host } from "../../src/index.ts";
import { sharedHome } from "./shared-home.ts";

engineClientContract("a host", async (): Promise<EngineUnderTest> => {
  const home = sharedHome();
  const host = await home.open();
  return {
    connect: async () => host.client,
    async dispose() {
      await host.close();
      home.remove();
    },
  };
});

const joinedContract = isSlowTier ? engineClientContract : undefined;
// The fast tier has it through lines (core/remote).
joinedContract?.("hosts that join one another", async (): Promise<EngineUnderTest> => {
  const home = sharedHome();
  const hosts: Host[] = [];
  return {
    async connect() {
      const host = await home.open({ isShared: true });
      hosts.push(host);
      return host.client;
    },
    async dispose() {
      for (const host of hosts) await host.close();
      home.remove();
    },
  };
});
