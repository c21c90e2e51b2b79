import { describe } from "vitest";
import { answerPromises } from "./answer-promises.ts";
import { attachPromises } from "./attach-promises.ts";
import { detachPromises } from "./detach-promises.ts";
import { listPromises } from "./list-promises.ts";
import { methodPromises } from "./method-promises.ts";
import { rolePromises } from "./role-promises.ts";
import { historyPromises } from "./history-promises.ts";
import { sessionPromises } from "./session-promises.ts";
import { submitPromises } from "./submit-promises.ts";
import type { MakeEngine } from "./under-test.ts";
import { userPromises } from "./user-promises.ts";

/**
 * What every `EngineClient` promises, in this process or another. Call it at the top level of a test file.
 * @param name  of the implementation
 * @param make  called once per test, and by some tests several times
 */
export function engineClientContract(name: string, make: MakeEngine): void {
  describe(`engine client contract: ${name}`, () => {
    attachPromises(make);
    detachPromises(make);
    submitPromises(make);
    answerPromises(make);
    rolePromises(make);
    sessionPromises(make);
    historyPromises(make);
    userPromises(make);
    listPromises(make);
    methodPromises(make);
  });
}
