export {
  type ExternalProvider,
  type ExternalProviders,
  type ListedModel,
  modelMeant,
  modelWithoutEffort,
  type ListOptions,
  type ModelList,
  type RefreshReport,
} from "@capstan/catalog";
export { listModels, refreshCatalog } from "./models.ts";
export {
  type CapstanConfig,
  checkFlags,
  type ConfigPath,
  describeOrigin,
  didYouMean,
  loadConfig,
  type LoadedConfig,
  type DataDirectory,
  dataDirectory,
  prepareDataDirectory,
  configJsonSchema,
  configReference,
  configTemplate,
  type ChangedCall,
  type PolicyTest,
  testPolicy,
  type PolicyFile,
  placeOfRule,
  type ExplainedKey,
  explainKey,
  givenKeys,
  givenSettings,
  maskSecrets,
  addServerTable,
  type McpServerConfig,
  removeServerTable,
  setValue,
  unsetValue,
  type ValueChange,
} from "@capstan/settings";
export { loadSettings, type Settings, type SettingsOptions } from "./load-settings.ts";
export { allowUsers, limitRate, type UserRate } from "@capstan/hub";
export { createHost, type Host, type HostOptions } from "./hub/create-host.ts";
export { openArchive, openTools, redactorOf } from "./open-parts.ts";
export { contextReport, modelRequest } from "@capstan/session";
export { isolationFor, openSandbox, sandboxFor } from "./open-sandbox.ts";
export { dropQuarantined, listQuarantine, type QuarantinedItem, restoreQuarantined } from "./quarantine.ts";
export { environmentRedactor } from "./session/environment-redactor.ts";
export { SessionArchive } from "./session/session-archive.ts";
export {
  differenceText,
  placeText,
  trustClasses,
  type TrustAnswer,
  type TrustNotice,
  type TrustQuestion,
  type WorkspaceTrust,
  type AddedTrust,
  addTrust,
  revokeTrust,
  type TrustedFolder,
  trustedFolders,
} from "@capstan/trust";
export { findAgents } from "@capstan/agents";
export { findPersonas, type Persona } from "@capstan/personas";
export { checkSettings } from "./hub/check-settings.ts";
export { type FileProblems, problemLine, type ProblemList } from "@capstan/language-servers";
export { problemsHere } from "./problems-here.ts";
export {
  type ChangedPlugin,
  findPlugins,
  fitsRange,
  type FoundPlugin,
  orderPlugins,
  PluginChoices,
} from "@capstan/plugins";
export { pluginPlaces, pluginsOf } from "./open-plugins.ts";
export { findSkills, type FoundSkills, openSkills, userFolders } from "@capstan/skills";
export type { FoundHook } from "@capstan/hooks";
export { namedHooks } from "./named-hooks.ts";
export { currentUser } from "./system/current-user.ts";
export { systemChance, systemClock } from "./system/system-ports.ts";
export { programSource } from "@capstan/tools";
export { type ToolCallOptions, type ToolCallReport, callTool } from "./call-tool.ts";
export { explainPolicy, type PolicyExplanation } from "./explain-policy.ts";
export { readPolicyFile } from "./named-policy-file.ts";
export {
  type AuditEntry,
  type AuditFact,
  auditFile,
  type AuditHeader,
  DecisionCounts,
  type DecisionReport,
  importedPart,
} from "@capstan/audit";
export { checkInstallation } from "./doctor/check-installation.ts";
export { checkSession, interruptedWork, type Repair, repairSession } from "@capstan/doctor";
export { type DatabaseRepair, repairDatabase } from "./doctor/repair-database.ts";
export { sessionStatistics, type StatisticsReport } from "./doctor/session-statistics.ts";
export { compressOldSessions } from "./aging/compress-old-sessions.ts";
export { openSessions } from "./exchange/open-sessions.ts";
export { readSource } from "./exchange/read-source.ts";
