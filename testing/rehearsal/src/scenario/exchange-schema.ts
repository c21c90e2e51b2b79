import { z } from "zod";
import { wireNames } from "../wires/wire-name.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

/** A recorded exchange in a scenario file, or on a line of a recording. */
export const exchangeSchema: z.ZodType<RecordedExchange> = z.strictObject({
  order: z.int().min(1).describe("counts the requests of a recording, as they came"),
  wire: z.enum(wireNames),
  method: z.string().min(1),
  path: z.string().startsWith("/").describe("path and query"),
  body: z.unknown().optional().describe("the request's JSON; compared with what comes when it is served again"),
  answer: z.strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()),
    pieces: z.array(z.string()).describe("the body, as it is sent piece by piece"),
    encoding: z.literal("base64").optional().describe("of every piece, where the body is no text"),
    end: z.enum(["whole", "broken-off"]).describe("broken-off: the connection is broken after the last piece"),
  }),
});
