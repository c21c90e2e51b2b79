/** What an iterator yields, made into something else; giving it up gives up the iterator. */
export function mapped<From, To>(
  iterator: AsyncIterator<From>,
  make: (value: From) => Promise<To>,
): AsyncIterableIterator<To> {
  const mapping: AsyncIterableIterator<To> = {
    async next() {
      const step = await iterator.next();
      return step.done === true ? { done: true, value: undefined } : { done: false, value: await make(step.value) };
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => mapping,
  };
  return mapping;
}
