/** What is the conversation itself, or how it is sent, on one wire or another: no configuration may put something else there. */
export const reservedBodyFields: readonly string[] = [
  "model",
  "messages",
  "input",
  "contents",
  "system",
  "instructions",
  "systemInstruction",
  "system_instruction",
  "cachedContent",
  "tools",
  "stream",
];
