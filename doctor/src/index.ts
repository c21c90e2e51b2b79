export { bad, good, note } from "./check.ts";
export { checkSession } from "./check-session.ts";
export { interruptedWork } from "./interrupted-work.ts";
export { backUp, type Repair, repairSession } from "./repair-session.ts";
