import type { ModelRow, RowPrices } from "./model-row.ts";

/** What a correction says; what it leaves out stays as published. `prices: null`: they are not known. */
export type Correction = Pick<ModelRow, "id"> &
  Partial<Omit<ModelRow, "id" | "prices">> & { readonly prices?: RowPrices | null };

const million = 1_000_000;
/** Claude from 4.7 on. */
const claude = { window: million, output: 128_000, inputs: "ip", thinking: "adaptive" } as const;
const gemini = { window: 1_048_576, output: 65_536, inputs: "ipav", thinking: "yes" } as const;
const gpt = { window: million, output: 128_000, inputs: "ip", thinking: "yes" } as const;
const oldGpt = { inputs: "", thinking: "no", unlisted: true } as const;
const longPromptOf = (above: number, prices: RowPrices): Pick<ModelRow, "longPrompt"> => ({
  longPrompt: [[above, prices]],
});

/**
 * Kept by hand, from the vendors' own pages as of November 2026: ids that the SDKs' types name and the published catalog does
 * not have yet, prices of long prompts, and what has changed since. A model whose prices nobody could look up has none here.
 */
export const corrections: Readonly<Record<string, readonly Correction[]>> = {
  anthropic: [
    { ...claude, id: "claude-fable-5-2" },
    { ...claude, id: "claude-mythos-5-2" },
    {
      ...claude,
      id: "claude-haiku-5-5",
      prices: [0.1, 0.5, 0.01, 0.125],
      ...longPromptOf(100_000, [0.5, 2.5, 0.05, 0.625]),
    },
    { ...claude, id: "claude-sonnet-5-5", prices: [2, 10, 0.1, 2.5] },
    { ...claude, id: "claude-opus-5-5", prices: [4, 20, 0.2, 5] },
    { ...claude, id: "claude-fable-5-1", prices: [10, 50, 0.25, 12.5] },
    { ...claude, id: "claude-mythos-5-1", prices: [10, 50, 0.25, 12.5] },
    { ...claude, id: "claude-sonnet-5", prices: [2, 10, 0.2, 2.5] },
    { ...claude, id: "claude-fable-5", prices: [10, 50, 1, 12.5] },
    { ...claude, id: "claude-mythos-5", prices: [10, 50, 1, 12.5] },
    { ...claude, id: "claude-opus-5", prices: [5, 25, 0.5, 6.25] },
    { ...claude, id: "claude-opus-4-8", prices: [5, 25, 0.5, 6.25] },
    { ...claude, id: "claude-mythos-preview", thinking: "both" },
    { id: "claude-sonnet-4-6", output: 128_000 },
    {
      id: "claude-3-haiku",
      window: 200_000,
      output: 4096,
      inputs: "i",
      thinking: "no",
      prices: [0.25, 1.25, 0.03, 0.3],
      unlisted: true,
    },
    {
      id: "claude-3-5-haiku",
      window: 200_000,
      output: 8192,
      inputs: "ip",
      thinking: "no",
      prices: [0.8, 4, 0.08, 1],
      unlisted: true,
    },
    {
      id: "claude-3-7-sonnet",
      window: 200_000,
      output: 64_000,
      inputs: "ip",
      thinking: "budget",
      prices: [3, 15, 0.3, 3.75],
      unlisted: true,
    },
    ...["claude-opus-4-0", "claude-opus-4-1", "claude-sonnet-4-0"].map((id) => ({ id, unlisted: true })),
    {
      id: "claude-opus-4",
      window: 200_000,
      output: 32_000,
      inputs: "ip",
      thinking: "budget",
      prices: [15, 75, 1.5, 18.75],
      unlisted: true,
    },
    {
      id: "claude-sonnet-4",
      window: 200_000,
      output: 64_000,
      inputs: "ip",
      thinking: "budget",
      prices: [3, 15, 0.3, 3.75],
      unlisted: true,
    },
  ],
  openai: [
    { ...gpt, id: "gpt-5.6-sol", prices: [5, 30, 0.5], ...longPromptOf(272_000, [10, 45, 1]) },
    { ...gpt, id: "gpt-5.6-terra", prices: [2, 12, 0.2], ...longPromptOf(272_000, [4, 18, 0.4]) },
    { ...gpt, id: "gpt-5.6-luna", prices: [0.2, 1.2, 0.02], ...longPromptOf(272_000, [0.4, 1.8, 0.04]) },
    // What longer prompts cost is not known; so far as it is, their siblings' window ends here, too.
    { id: "gpt-5.4-pro", window: 272_000 },
    { id: "gpt-5.5-pro", window: 272_000 },
    { id: "gpt-5.1", prices: [1.25, 10, 0.125] },
    { id: "gpt-4.1-nano", prices: [0.1, 0.4, 0.025] },
    { id: "gpt-4o-mini", prices: [0.15, 0.6, 0.075] },
    { id: "o4-mini", prices: [1.1, 4.4, 0.275] },
    { ...gpt, id: "gpt-5.1-mini", window: 400_000 },
    { ...oldGpt, id: "gpt-3.5-turbo", window: 16_385, output: 4096 },
    { ...oldGpt, id: "gpt-4-32k", window: 32_768, output: 32_768 },
    { ...oldGpt, id: "gpt-4-0125-preview", window: 128_000, output: 4096 },
    { ...oldGpt, id: "gpt-4-1106-preview", window: 128_000, output: 4096 },
    { ...oldGpt, id: "gpt-4-vision-preview", window: 128_000, output: 4096, inputs: "i" },
    { ...oldGpt, id: "o1-mini", window: 128_000, output: 65_536, thinking: "yes" },
    { ...oldGpt, id: "o1-preview", window: 128_000, output: 32_768, thinking: "yes" },
  ],
  google: [
    { ...gemini, id: "gemini-3.8-flash", prices: [0.75, 3.75, 0.075] },
    { ...gemini, id: "gemini-3.7-flash", prices: [0.75, 3.75] },
    { ...gemini, id: "gemini-3.6-flash" },
    { ...gemini, id: "gemini-3.5-flash", prices: [1.5, 9] },
    { ...gemini, id: "gemini-3.5-flash-lite" },
    { ...gemini, id: "gemini-3.1-flash-lite", prices: [0.25, 1.5, 0.025] },
    { ...gemini, id: "gemini-3.1-pro", prices: [2, 12, 0.2], ...longPromptOf(200_000, [4, 18, 0.4]), unlisted: true },
    { ...gemini, id: "gemini-3-pro", prices: [2, 12, 0.2], ...longPromptOf(200_000, [4, 18, 0.4]), unlisted: true },
    { ...gemini, id: "gemini-3-flash", prices: [0.5, 3, 0.05], unlisted: true },
    { id: "gemini-3.1-pro-preview", ...longPromptOf(200_000, [4, 18, 0.4]) },
    { id: "gemini-3.1-pro-preview-customtools", ...longPromptOf(200_000, [4, 18, 0.4]) },
    { ...gemini, id: "gemini-3-pro-preview", ...longPromptOf(200_000, [4, 18, 0.4]) },
    { id: "gemini-2.5-pro", ...longPromptOf(200_000, [2.5, 15, 0.25]) },
    { id: "gemini-2.5-flash-lite", prices: [0.1, 0.4, 0.01] },
    // What these point to changes, and with it the price.
    ...["gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest"].map((id) => ({
      ...gemini,
      id,
      prices: null,
    })),
    ...["gemini-2.0-flash", "gemini-2.0-flash-lite"].map((id) => ({ id, unlisted: true })),
    { id: "gemini-3.1-flash-lite-preview", prices: [0.25, 1.5, 0.025] },
  ],
};
