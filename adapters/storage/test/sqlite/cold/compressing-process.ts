/**
 * A process that compresses old sessions and says `step` on standard output after each step. Run by `compress-sessions.test.ts`.
 * Arguments: database file, and before which time (ms since 1970) a session is old.
 */
import { writeSync } from "node:fs";
import { compressSessions } from "../../../src/index.ts";

const [path = "", before = "0"] = process.argv.slice(2);
for (const { state } of compressSessions(path, Number(before))) writeSync(1, `step ${state}\n`);
