import { createHash } from "node:crypto";
import type { Digest } from "@capstan/ports";

export const sha256: Digest = (text) => createHash("sha256").update(text).digest("hex");
