import { sessionStoreContract } from "@capstan/testkit";
import { openSqliteStore } from "../../src/index.ts";
import { makeFolder } from "../folder.ts";

sessionStoreContract("sqlite", async () => {
  const folder = await makeFolder();
  const open = async () => openSqliteStore({ path: folder.path("capstan.db") });
  const store = await open();
  const dispose = async () => {
    await store.close();
    await folder.remove();
  };
  return { store, reopen: open, dispose };
});
