import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "./stage/place.ts";

const place = usePlace();

test("the built program reads policy files of both forms, and names file and line of what is wrong", async () => {
  const write = (name: string, text: string): string => {
    const file = join(place.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const yaml = write(
    "policy.yaml",
    "name: mine\nrules:\n  - name: push\n    tool: Bash\n    command_patterns: ['^git push']\n    action: deny\n",
  );
  const toml = write("policy.toml", '[[rules]]\nverdict = "deny"\ntool = "run_command"\ncommand = "git push *"\n');
  for (const file of [yaml, toml, "strict"]) {
    const { code, stdout, stderr } = await place.run(["policy", "validate", file]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining("Valid"), stderr: "" });
  }
  const wrong = await place.run(["policy", "validate", write("wrong.yaml", "name: mine\nrules:\n  - tool: [\n")]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/wrong\.yaml:\d+:\d+: not valid YAML/)]);
});
