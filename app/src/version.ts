/** Lockstep with package.json; `test/fresh-clone.test.ts` compares them. */
export const version = "0.1.0";
