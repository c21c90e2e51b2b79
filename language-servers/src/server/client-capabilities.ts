import type { JsonObject } from "@capstan/protocol";

/** What Capstan understands of the protocol: texts as a whole, and what is wrong with them. */
export const clientCapabilities: JsonObject = {
  general: { positionEncodings: ["utf-16"] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false },
  },
  workspace: { configuration: true, workspaceFolders: true, applyEdit: false },
  window: { workDoneProgress: false },
};
