/** Every command that runs no turn: loaded together, and only when one of them is asked for. */
export {
  explainConfig,
  initConfig,
  printConfigSchema,
  showConfig,
  validateConfig,
} from "../configuration/show-config.ts";
export { setConfig, unsetConfig } from "../configuration/change-config.ts";
export { listModelsCommand, refreshModels } from "./models.ts";
export { explainPolicy, listPolicy, validatePolicy } from "./policy.ts";
export { testPolicyFile } from "./policy-test.ts";
export { listSessions, showSession, showTree } from "./sessions.ts";
export { dropItem, listQuarantined, restoreItem } from "./quarantine.ts";
export { addTrusted, listTrusted, revokeTrusted } from "./trust.ts";
export { callToolByHand, listTools, showTool } from "./tools.ts";
export { exportAudit, verifyAudit } from "./audit.ts";
export { reportAudit } from "./audit-report.ts";
export { doctor } from "./doctor.ts";
export { update } from "../support/update.ts";
export { compressSessionsCommand } from "../aging/compress-sessions.ts";
export { pruneSessions } from "../aging/prune-sessions.ts";
export { deleteSessionCommand, exportSession, forkSessionCommand, importSessionFile } from "./exchange.ts";
