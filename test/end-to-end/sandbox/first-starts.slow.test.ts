import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { callCommand } from "./sandbox-place.ts";

const place = usePlace();

test("processes that start at once in an empty home all have the sandbox", async () => {
  for (let round = 0; round < 3; round += 1) {
    rmSync(join(place.folder, "data"), { recursive: true, force: true });
    const called = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        callCommand(place, { command: `echo ${at}; touch /etc/made-by-capstan-test` }),
      ),
    );
    for (const [at, { type, text, run }] of called.entries()) {
      expect({ type, stderr: run.stderr }).toEqual({ type: "done", stderr: "" });
      expect(text).toMatch(new RegExp(`^Exit code: 1 .*\\n${at}\\n.*Read-only file system`, "s"));
    }
  }
});
