/** Ends a switch over a union: a new variant makes the call fail to compile. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
