/** What a key can do, by the names of `[keys]`. */
export type KeyAction =
  | "send"
  | "steer"
  | "newline"
  | "stop"
  | "interrupt"
  | "delete-right-or-quit"
  | "complete"
  | "next-mode"
  | "up"
  | "down"
  | "older"
  | "newer"
  | "search-sent"
  | "take-back"
  | "editor"
  | "paste-image"
  | "transcript"
  | "tasks"
  | "help"
  | "lead"
  | "model"
  | "sessions"
  | "inbox"
  | "rewind"
  | "screen"
  | "page-up"
  | "page-down"
  | "repaint"
  | "suspend"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "draft-start"
  | "draft-end"
  | "delete-left"
  | "delete-right"
  | "kill-word-left"
  | "kill-word-right"
  | "kill-line-start"
  | "kill-line-end"
  | "yank"
  | "undo"
  | "redo";

/** The chords that do it where the user says nothing else. */
export const defaultKeys: Readonly<Record<KeyAction, readonly string[]>> = {
  send: ["enter"],
  steer: ["ctrl+enter", "ctrl+s"],
  newline: ["shift+enter", "alt+enter", "ctrl+j"],
  stop: ["escape"],
  interrupt: ["ctrl+c"],
  "delete-right-or-quit": ["ctrl+d"],
  complete: ["tab"],
  "next-mode": ["shift+tab"],
  up: ["up"],
  down: ["down"],
  older: ["ctrl+p"],
  newer: ["ctrl+n"],
  "search-sent": ["ctrl+r"],
  "take-back": ["alt+up"],
  editor: ["ctrl+g"],
  "paste-image": ["ctrl+v"],
  transcript: ["ctrl+o"],
  tasks: ["ctrl+t"],
  help: ["f1"],
  lead: ["ctrl+x"],
  model: [],
  sessions: [],
  inbox: [],
  rewind: [],
  screen: [],
  "page-up": ["page-up"],
  "page-down": ["page-down"],
  repaint: ["ctrl+l"],
  suspend: ["ctrl+z"],
  left: ["left", "ctrl+b"],
  right: ["right", "ctrl+f"],
  "word-left": ["ctrl+left", "alt+left", "alt+b"],
  "word-right": ["ctrl+right", "alt+right", "alt+f"],
  "line-start": ["home", "ctrl+a"],
  "line-end": ["end", "ctrl+e"],
  "draft-start": ["ctrl+home"],
  "draft-end": ["ctrl+end"],
  "delete-left": ["backspace", "shift+backspace", "ctrl+h"],
  "delete-right": ["delete"],
  "kill-word-left": ["ctrl+w", "alt+backspace", "ctrl+backspace"],
  "kill-word-right": ["alt+d", "ctrl+delete"],
  "kill-line-start": ["ctrl+u"],
  "kill-line-end": ["ctrl+k"],
  yank: ["ctrl+y"],
  undo: ["ctrl+_"],
  redo: ["ctrl+shift+z", "alt+_"],
};

/** What each of them does, for help; in the order of help. */
export const keyAbouts: Readonly<Record<KeyAction, string>> = {
  send: "send; while work runs: queue (after \\: a new line)",
  steer: "send now, into the running turn",
  newline: "a new line",
  stop: "stop the turn (empty draft); twice when idle: rewind",
  interrupt: "clear the draft; else stop the turn; else twice: quit",
  "delete-right-or-quit": "delete the letter at the caret; quit (empty draft)",
  complete: "complete; to the card; to the agents at work",
  "next-mode": "next mode",
  up: "a line up, then what was sent before",
  down: "a line down, then what was sent after it",
  older: "what was sent before",
  newer: "what was sent after it",
  "search-sent": "search what was sent before",
  "take-back": "take back what waits to be sent",
  editor: "write the draft in your editor",
  "paste-image": "put the picture on the clipboard in",
  transcript: "the whole transcript",
  tasks: "the task list beside the work, and away",
  help: "these keys (? on an empty draft, too)",
  lead: "then m model, l sessions, i inbox, a agents, r rewind, s screen, e editor",
  model: "choose the model",
  sessions: "open another session",
  inbox: "what waits in all sessions",
  rewind: "take turns back",
  screen: "full screen, and back",
  "page-up": "scroll up (full screen)",
  "page-down": "scroll down (full screen)",
  repaint: "paint again",
  suspend: "stop Capstan; the shell's fg continues it",
  left: "a letter to the left",
  right: "a letter to the right",
  "word-left": "a word to the left",
  "word-right": "a word to the right",
  "line-start": "to the line's beginning",
  "line-end": "to the line's end",
  "draft-start": "to the draft's beginning",
  "draft-end": "to the draft's end",
  "delete-left": "delete to the left",
  "delete-right": "delete to the right",
  "kill-word-left": "take out the word to the left",
  "kill-word-right": "take out the word to the right",
  "kill-line-start": "take out the line up to the caret",
  "kill-line-end": "take out the line from the caret on",
  yank: "put back what was taken out last",
  undo: "undo in the draft",
  redo: "redo in the draft",
};
