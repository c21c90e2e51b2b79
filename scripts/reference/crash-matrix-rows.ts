import type { MatrixFault } from "./crash-matrix-cell.ts";
import { answerFaults, networkFaults } from "./crash-matrix-model.ts";
import { clientFaults, stopFaults, toolFaults } from "./crash-matrix-rest.ts";
import { neighbourFaults, processFaults, storageFaults } from "./crash-matrix-storage.ts";

/** Every fault, under the heading it belongs to. */
export const matrixFaults: Readonly<Record<string, readonly MatrixFault[]>> = {
  "The process ends": processFaults,
  "The process is asked to end": stopFaults,
  "The journal cannot be written or read": storageFaults,
  "Others, and the clock": neighbourFaults,
  "The vendor cannot be reached, or breaks off": networkFaults,
  "The answer is odd": answerFaults,
  "A command misbehaves": toolFaults,
  "Clients and services": clientFaults,
};
