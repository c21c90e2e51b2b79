/** Part of what a window leaves after the answer that a request may fill (design §6, "budget"). */
export const budgetShare = 0.95;

/** Messages a compaction always leaves as they are (design §6, "budget": the last 4). */
export const messagesKeptByCompaction = 4;

/** Part of the budget that the messages after a compaction fill at most, so that the next one is far away and caches hold. */
export const targetShare = 0.5;

/** From this part of the budget on, the summary that will be needed is made beside the turn (design §6, "budget"). */
export const aheadShare = 0.8;

/** How a summary is asked for (issue 14, from seed E26 and P12): attempts in all, ms between them, ms that each may take. */
export const summaryRetry = { maxAttempts: 5, baseDelayMs: 500, maxDelayMs: 8000 } as const;
export const summaryLimitMs = 60_000;

/** Part of what a turn has left that a summary beside it may cost: the turn's own calls go first. */
export const aheadCostShare = 0.25;

/** An answer cut shorter than this for the budget's sake is of no use; the turn ends instead. Tokens. */
export const minAnswerTokens = 1024;

/** What vendors add to a prompt that is not in the request: instructions for tools, marks between messages. Tokens. */
export const requestOverheadTokens = 2048;

/** Part of what was sent that a request may fill after a vendor said that it was too long (seed D06). */
export const overflowShare = 0.7;

/** Part of the budget that originals may fill where they come back, so that they do not leave again at once. */
export const restoredShare = 0.8;

/** Tokens of one UTF-16 unit: of ASCII text, and of all other text. Guesses, until a vendor has counted. */
export const tokensPerAsciiUnit = 0.27;
export const tokensPerOtherUnit = 0.65;

/** What vendors add for each message and each block, in tokens. */
export const tokensPerMessage = 4;
export const tokensPerBlock = 3;

/** A picture of ordinary size, and other media by the byte, in tokens. */
export const tokensPerImage = 1600;
export const tokensPerMediaUnit = 0.1;

/** More tokens than any vendor counts for one picture. */
export const maxImageTokens: number = 16 * 1024;

/** Bounds of the words that are kept beside a summary: part of the budget, and characters at least and at most. */
export const keptShare = 0.1;
export const minKeptCharacters = 1000;
export const maxKeptCharacters = 24_000;

/** Characters of one sentence, of the first request, and of the request under way that are kept. */
export const maxSentenceCharacters = 400;
export const maxFirstRequestCharacters = 2000;
export const maxRequestCharacters = 6000;

/** To what tool results are cut, in turn, where the newest messages alone are too long. UTF-16 units. */
export const shorterResults: readonly number[] = [16_000, 8000, 4000, 2000, 1000, 500];

/** Of a budget, what whoever summarises is given to read: a guess of thousands of cut results is further off than one of a conversation. */
export const readableShare = 0.8;

/** A guess is corrected by what vendors count, but never by more than this. */
export const minCalibration = 0.4;
export const maxCalibration = 3;

/** Characters of each message in a summary made by rules; of all of them by each token of the budget, at least and at most. */
export const ruleLineCharacters = 200;
export const ruleCharactersPerToken = 0.4;
export const minRuleSummaryCharacters = 400;
export const maxRuleSummaryCharacters = 6000;

/** What the compactor `token_budget` shows of the beginning (seed E26: the first four), and `intelligent` of decisions, findings and tools. */
export const openingMessages = 4;
export const digestFindings = 12;
export const digestLines = 20;
export const digestResultCharacters = 200;

/** How long one document in place of a whole conversation may take (seed F46). ms */
export const distillLimitMs = 600_000;
