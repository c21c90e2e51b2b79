/** Lockstep with package.json; `test/house.test.ts` compares them. */
export const version = "0.1.0";
