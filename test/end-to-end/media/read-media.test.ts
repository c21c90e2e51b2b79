import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { models, usePlace } from "../stage/place.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

overWires("over %s", (wire, test) => {
  test("a model that takes pictures is shown the one it reads, in every process; another reads its name", async () => {
    writeFileSync(join(place.workspace, "red.png"), Buffer.from(png, "base64"));
    const read = { tool_calls: [{ name: "read_file", arguments: { path: "red.png" } }] };
    const stage = await place.rehearse(wire, [read, { text: "Red." }, { text: "Still red." }, read, { text: "What?" }]);
    const config = join(place.folder, "config.toml");
    const takes = (inputs: string): void => writeFileSync(config, `[models."${models[wire]}"]\ninputs = [${inputs}]\n`);
    takes('"image"');
    expect((await stage.run(["--config", config, "which colour?"])).stdout).toBe("Red.\n");
    await stage.run(["--config", config, "--continue", "and now?"]);
    for (const exchange of stage.exchanges.slice(1, 3)) expect(JSON.stringify(exchange.body)).toContain(png);
    takes("");
    await stage.run(["--config", config, "which colour?"]);
    expect(JSON.stringify(stage.exchanges[4]?.body)).not.toContain(png);
    expect(JSON.stringify(resultsOf(stage.exchanges[4]))).toContain("red.png: image/png, 70 bytes");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });
});
