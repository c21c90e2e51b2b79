import type { ToolContext, ToolSource } from "@capstan/ports";
import { canonicalJson, type JsonObject } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { quietContext } from "../builders/tool-context.ts";

/** A source made for one test. */
export interface SourceUnderTest {
  readonly source: ToolSource;
  readonly workspace: ToolContext["workspace"];
  /** A call that its tool accepts. */
  readonly call: { readonly tool: string; readonly arguments: JsonObject };
  /** Changes its tools; absent where they never change. */
  readonly change?: () => void;
}

/**
 * What every `ToolSource` promises. Call it at the top level of a test file.
 * @param name  of the implementation
 * @param make  called once per test
 */
export function toolSourceContract(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(`the contract of tool sources, ${name}`, () => {
    test("tools have different names, plain data for definitions and schemas of objects", async () => {
      const { source } = await make();
      const definitions = source.tools().map(({ definition }) => definition);
      expect(new Set(definitions.map((definition) => definition.name)).size).toBe(definitions.length);
      expect(JSON.parse(JSON.stringify(definitions))).toEqual(definitions);
      for (const { inputSchema } of definitions) expect(inputSchema["type"]).toBe("object");
      await source.close();
    });

    test("asked again it gives the same tools in the same order", async () => {
      const { source } = await make();
      expect(source.tools()).toEqual(source.tools());
      expect(source.label).not.toBe("");
      await source.close();
    });

    test("an action is of its tool and effect class, and the same call gives the same action", async () => {
      const { source, workspace, call } = await make();
      const tool = source.tools().find(({ definition }) => definition.name === call.tool);
      const context = { ...quietContext, workspace, signal: new AbortController().signal };
      const first = await tool?.prepare(call.arguments, context);
      expect(first).toMatchObject({ tool: call.tool, effect: tool?.effect });
      expect(canonicalJson(await tool?.prepare(call.arguments, context))).toBe(canonicalJson(first));
      await source.close();
    });

    test("every subscriber is notified of a change, once, and not after it ended its subscription", async () => {
      const { source, change } = await make();
      const reported: string[] = [];
      const end = source.subscribe(() => void reported.push("first"));
      source.subscribe(() => void reported.push("second"));
      change?.();
      end();
      end();
      change?.();
      expect(reported).toEqual(change === undefined ? [] : ["first", "second", "second"]);
      await source.close();
    });

    test("once closed it notifies nobody, and can be closed again", async () => {
      const { source, change } = await make();
      let reported = 0;
      source.subscribe(() => void (reported += 1));
      await source.close();
      await source.close();
      change?.();
      expect(reported).toBe(0);
    });
  });
}
