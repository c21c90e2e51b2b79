import { toolSourceContract } from "@capstan/testkit";
import { workspaceFixture } from "../workspace-fixture.ts";
import { builtInSource, programSource } from "../../src/index.ts";
import { ChangingSource, namedTool } from "./changing-source.ts";

toolSourceContract("built-in tools", async () => {
  const { options, workspace, write } = workspaceFixture();
  write("a.txt", "x\n");
  const call = { tool: "read_file", arguments: { path: "a.txt" } };
  return await Promise.resolve({ source: builtInSource(options), workspace, call });
});

toolSourceContract("tools of the program", async () => {
  const { workspace } = workspaceFixture();
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const tool = { name: "weather", description: "Tells the weather.", inputSchema, effect: "read", execute } as const;
  const call = { tool: "weather", arguments: { city: "Łódź" } };
  return await Promise.resolve({ source: programSource([tool], 1000), workspace, call });
});

toolSourceContract("tools that change", async () => {
  const { workspace } = workspaceFixture();
  const source = new ChangingSource("a server", [namedTool("one"), namedTool("two")]);
  let changes = 0;
  const change = (): void => source.change([namedTool(`other${(changes += 1)}`)]);
  return await Promise.resolve({ source, workspace, call: { tool: "one", arguments: {} }, change });
});

async function execute(): Promise<string> {
  return await Promise.resolve("sunny");
}
