/** Tools that one search brings, and the best of those that are looked at for it. @see seed P24 */
export const maxFoundTools = 10;
export const maxCandidates = 20;

/** UTF-16 units of what is searched for. */
export const maxQueryLength = 500;

/** How long an expression may take over all tools (ms): some need longer than a session lasts. */
export const expressionMs = 200;

/** UTF-16 units of the names in the description of the search, which stands in every request. */
export const maxNamesLength = 1500;
