/**
 * Which tools a model is shown, by the names, fields and forms it was trained on. `own`: Capstan's; `anthropic`: Claude and models trained on its
 * agents; `openai`: a shell and patches; `gemini`: Gemini and Qwen.
 */
export const toolProfiles = ["own", "anthropic", "openai", "gemini"] as const;
export type ToolProfileName = (typeof toolProfiles)[number];
