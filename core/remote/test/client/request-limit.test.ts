import { memoryEngine, sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { maxRequestLineBytes, RemoteEngine, serveEngine } from "../../src/index.ts";
import { connected } from "../pipe.ts";

const identity = { frontend: "test", role: "operate" } as const;

const letters: readonly (readonly [string, string, number])[] = [
  ["letters of three bytes", "€", 3],
  ["letters of one byte", "x", 1],
];

test.each(sampled(letters, 1))(
  "a request as long as the server reads is sent, one byte more is refused here: %s",
  async (_what, letter, size) => {
    const { client, server, toServer } = connected();
    const lines: string[] = [];
    const write = toServer.write.bind(toServer);
    toServer.write = (text, done) => {
      lines.push(text);
      write(text, done);
    };
    void serveEngine(memoryEngine(), server, { identity, mayName: true, version: "1", processId: 1 });
    const engine = await RemoteEngine.connect(client);
    const session = await engine.open({ type: "new" }, { identity, purpose: "drive" });
    const sent = async (title: string): Promise<string> =>
      JSON.stringify(await session.submit({ type: "title", title }));
    await sent("");
    const bare = Buffer.byteLength(lines.at(-1)?.trimEnd() ?? "");
    const room = maxRequestLineBytes - bare;
    const longest = "x".repeat(room % size) + letter.repeat(Math.floor(room / size));
    for (let time = 0; time < 2; time += 1) {
      const before = lines.length;
      expect(await sent(`${longest}x`)).toMatch(/the request has more than \d+ bytes/);
      expect(lines.length).toBe(before);
      await sent(longest);
      expect(lines.length).toBe(before + 1);
      expect(Buffer.byteLength(lines.at(-1)?.trimEnd() ?? "")).toBe(maxRequestLineBytes);
    }
    await engine.close();
  },
);
