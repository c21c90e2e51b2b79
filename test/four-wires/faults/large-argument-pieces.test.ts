/** A row of `docs/reference/provider-faults.md`, through the real engine and a real socket. */
import { isSlowTier } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf } from "./fault-fixture.ts";
import { writeLarge } from "./large-arguments.ts";

const place = usePlace();

/** In pieces as vendors send them; in the fast tier a part of it, which is eight times what an argument may have. */
const argument = { bytes: (isSlowTier ? 10 : 2) * 1024 * 1024, pieceBytes: 40 };

test.for(casesOf("The answer is huge").filter(({ id }) => id === "large-argument-pieces"))(
  "$id: $vendor",
  async (row) => {
    expect(await writeLarge(place, row, argument)).toMatchObject({
      ended: { type: "turn-ended", outcome: row.outcome },
      problems: [],
      unused: 0,
      written: false,
    });
  },
);
