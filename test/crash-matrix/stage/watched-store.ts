import type { AppendBatch, SessionStore } from "@capstan/ports";
import { createMemoryStore } from "@capstan/storage";
import { journeyWith, live } from "./journey.ts";
import { type Phase, PhaseReader } from "./phases.ts";

/** A store that announces each append, with the phase in which it is made, before it takes effect. */
export function watchedStore(
  store: SessionStore,
  onAppend: (phase: Phase | null, number: number, batch: AppendBatch) => Promise<AppendBatch> | AppendBatch,
): SessionStore {
  const reader = new PhaseReader();
  let number = 0;
  return {
    ...store,
    async append(sessionId, batch) {
      number += 1;
      const reported = await onAppend(reader.phase, number, batch);
      const events = await store.append(sessionId, reported);
      reader.read(batch);
      return events;
    },
  };
}

/** The numbers, from 1, of the appends that the unharmed journey makes in this phase. */
export async function appendsIn(phase: Phase): Promise<readonly number[]> {
  const numbers: number[] = [];
  const store = watchedStore(createMemoryStore(), (current, number, batch) => {
    if (current === phase) numbers.push(number);
    return batch;
  });
  await live({ journey: journeyWith(phase), store });
  return numbers;
}
