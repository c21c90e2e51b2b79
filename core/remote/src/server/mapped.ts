/** An iteration whose values are turned into others one by one; giving it up gives up what it comes from, at once. */
export function mapped<From, To>(source: AsyncIterable<From>, turn: (value: From) => To): AsyncIterator<To> {
  const values = source[Symbol.asyncIterator]();
  return {
    async next() {
      const next = await values.next();
      return next.done === true ? { done: true, value: undefined } : { done: false, value: turn(next.value) };
    },
    async return() {
      await values.return?.();
      return { done: true, value: undefined };
    },
  };
}
