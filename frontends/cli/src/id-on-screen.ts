const shownCharacters = 8;
const generatedId = /^[a-z0-9]{24,}$/;

/** How a session's id begins, where nobody chose it: sessions are found by the first characters of their id. */
export function idOnScreen(sessionId: string): string {
  return generatedId.test(sessionId) ? sessionId.slice(0, shownCharacters) : sessionId;
}
