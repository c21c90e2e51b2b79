import { join } from "node:path";
import { stateMark } from "../scripts/state-mark/state-mark.ts";

// To be imported before the engine: what the bundle has by its build, so that saved states are measured, too.
Object.assign(globalThis, { capstanStateMark: stateMark(join(import.meta.dirname, "..")) });
