/** Where a session is when so many turns are kept. */
export function endOfTurn(keptTurns: number): string {
  return keptTurns === 0 ? "the beginning" : `the end of turn ${keptTurns}`;
}
