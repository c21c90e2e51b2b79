/** Rounds are interleaved and their median counts: enough that one busy moment of the machine does not decide. */
export const rounds: Readonly<
  Record<
    | "startUp"
    | "firstRequest"
    | "toolTurns"
    | "stream"
    | "parallelReads"
    | "commands"
    | "parsing"
    | "cancel"
    | "opening"
    | "sandboxedSpawn"
    | "deciding"
    | "fileWalk",
    number
  >
> = {
  startUp: 15,
  firstRequest: 9,
  toolTurns: 3,
  stream: 5,
  parallelReads: 9,
  commands: 3,
  parsing: 5,
  cancel: 9,
  opening: 5,
  sandboxedSpawn: 25,
  deciding: 9,
  fileWalk: 9,
};
/** Files read in one round of the walk: one takes a fraction of a millisecond. */
export const walksPerRound = 200;

/** Reads of one stream in one process, after a first one that warms up. */
export const readsPerRound = 3;

/** Turns whose mean is "the time of a turn" at a point: one turn alone is mostly noise. */
export const turnsAveraged = 10;
/** The two points of the long run. */
export const earlyTurn = 50;
export const lateTurn = 300;

/** Bytes of the long answer, and of each of its pieces. */
export const streamBytes = 2_000_000;
export const pieceBytes = 40;

/** Records of the long session that is opened. */
export const openedRecords = 100_000;

/** Clients of one session, and the turn that they follow: twenty times as fast as a fast vendor. */
export const crowd = {
  clients: 50,
  characters: 2_000_000,
  calls: 50,
  steps: 50,
  seed: 50,
  charactersPerSecond: 200_000,
} as const;

/** Rules that a decision is made under, and decisions measured together. */
export const decidedRules = 500;
export const decisionsPerRound = 500;

/** Files of the large workspace, and how they lie in it. */
export const filesOfLargeWorkspace = 60_000;
export const filesPerFolder = 100;
export const groups = 30;

/** Commands of one run, one after another. */
export const commandsRun = 50;

/** Calls of one answer. */
export const parallelCalls = 8;

/** A run that takes longer has hung. */
export const runTimeoutMs = 120_000;
/** What a server that has answered everything takes to say so. */
export const serverNewsTimeoutMs = 2000;

/** The terminal UI: how often, how long and how much. */
export const tui = {
  rounds: 3,
  /** At rest, and while a spinner moves. */
  restMs: 60_000,
  /** Without a byte for so long, a screen has been painted. */
  quietMs: 300,
  settleMs: 3000,
  pollMs: 10,
  keys: 150,
  betweenKeysMs: 30,
  /** Then the draft is cleared. */
  wordLetters: 20,
  sizes: 50,
  warmUpTurns: 50,
  /** A turn every five minutes of a day. */
  turns: 288,
} as const;

/** What is promised of it: ratios, ms, bytes, MB, a share of one processor. */
export const tuiTargets = {
  firstFrame: 1.5,
  keyP50Ms: 4,
  keyP95Ms: 16,
  answerCpu: 2,
  answerWall: 1.3,
  framesPerSecond: 10,
  fullBytes: 512 * 1024,
  /** Times the text. */
  inlineBytes: 1.7,
  idleMs: 10,
  working: 0.01,
  tickBytes: 120,
  resizedMs: 50,
  openMs: 500,
  memoryMb: 200,
  growthMb: 20,
} as const;

/** Servers of tools that a first request waits for. */
export const serversBeside = 3;

/** What is promised: ratios to the bare script, MB, bytes, ms. */
export const targets: Readonly<
  Record<
    | "startUp"
    | "firstRequest"
    | "toolTurn"
    | "lateTurnGrowth"
    | "stream"
    | "parallelReads"
    | "memoryMb"
    | "requestBytes"
    | "parsing"
    | "cancelMs"
    | "openingMs"
    | "sandboxMs"
    | "serversMs"
    | "commands"
    | "decidingMs"
    | "liveDelayMs"
    | "firstCommandMs"
    | "laterCommandMs",
    number
  >
> = {
  startUp: 1.4,
  firstRequest: 2.2,
  toolTurn: 2.5,
  lateTurnGrowth: 1.3,
  stream: 1.3,
  parallelReads: 5,
  memoryMb: 110,
  requestBytes: 12 * 1024,
  parsing: 2,
  cancelMs: 50,
  openingMs: 500,
  sandboxMs: 50,
  serversMs: 100,
  commands: 2.7,
  decidingMs: 0.2,
  liveDelayMs: 50,
  firstCommandMs: 1000,
  laterCommandMs: 100,
};

/** The very long session (issue "Context without end", point 9): its turns, and what commands about it may take. */
export const longSessions = { turns: 20_000, memoryMb: 310, importMs: 30_000 } as const;

/** What remains of a long history: facts that are planted, sizes of the history, the window that it has to fit into, and the target (issue "Context without end", E43). */
export const contextBench = {
  facts: 50,
  tokens: [100_000, 500_000, 2_000_000],
  windowTokens: 32_000,
  targetTokens: 500_000,
  target: 45,
  runTimeoutMs: 300_000,
} as const;
