import { sessionStoreContract } from "@capstan/testkit";
import { test } from "vitest";
import { createMemoryStore } from "../../src/memory/create-memory-store.ts";

sessionStoreContract(
  "memory",
  async () => {
    const store = createMemoryStore();
    return { store, dispose: async () => store.close() };
  },
  test,
);
