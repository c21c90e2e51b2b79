import type { SessionFacts } from "@capstan/facts";
import { AppError, type FactsClient, requireRole } from "@capstan/protocol";

/** What is remembered, for clients. @param facts  `null`: the configuration says that nothing is */
export function hubFacts(facts: SessionFacts | null): FactsClient {
  const known = (): SessionFacts => {
    if (facts !== null) return facts;
    throw new AppError("usage.invalid", "nothing is remembered: the setting `context.facts` is off", {
      hint: "See where it was set: capstan config explain context.facts",
    });
  };
  return {
    list: async (query) =>
      query.id === undefined ? await known().list(query) : await known().withId(query.id, query.limit),
    async remember(words, identity) {
      requireRole("facts.remember", identity);
      return await known().remember({ ...words, entities: [], by: "user", sessionId: null });
    },
    async change(id, text, identity) {
      requireRole("facts.change", identity);
      return (await known().change(id, text)) !== null;
    },
    async forget(id, identity) {
      requireRole("facts.forget", identity);
      return await known().forget(id);
    },
  };
}
