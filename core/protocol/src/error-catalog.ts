interface ErrorEntry {
  readonly about: string;
  readonly action: string;
}

/** Stable; scripts may rely on them. */
export type ErrorCode =
  | "usage.invalid"
  | "usage.workspace-missing"
  | "config.unreadable"
  | "config.syntax"
  | "config.invalid"
  | "config.variable-missing"
  | "model.unknown"
  | "model.none"
  | "provider.auth"
  | "provider.http"
  | "provider.context"
  | "provider.network"
  | "provider.stream"
  | "provider.timeout"
  | "provider.unavailable"
  | "provider.protocol"
  | "session.unknown"
  | "session.ambiguous"
  | "session.busy"
  | "sandbox.unavailable"
  | "sandbox.failed"
  | "sandbox.layout"
  | "quarantine.not-found"
  | "quarantine.occupied"
  | "interaction.unknown"
  | "interaction.settled"
  | "interaction.expired"
  | "interaction.stale"
  | "interaction.not-yours"
  | "interaction.wrong-answer"
  | "answer.schema"
  | "tool.not-offered"
  | "storage.unavailable"
  | "storage.full"
  | "storage.failed"
  | "storage.newer-version"
  | "storage.corrupt"
  | "tool.unknown"
  | "tool.bad-arguments"
  | "tool.malformed-arguments"
  | "tool.arguments-too-large"
  | "tool.call-incomplete"
  | "tool.too-many-calls"
  | "tool.write-limit"
  | "tool.changed"
  | "tool.loop"
  | "tool.failed"
  | "tool.bad-result"
  | "tool.timeout"
  | "tool.undone"
  | "path.outside"
  | "path.denied"
  | "path.invalid"
  | "path.not-found"
  | "path.not-a-file"
  | "file.exists"
  | "file.too-large"
  | "file.binary"
  | "file.not-read"
  | "file.stale"
  | "edit.no-match"
  | "edit.not-unique"
  | "patch.syntax"
  | "patch.failed"
  | "web.blocked"
  | "web.failed"
  | "import.unreadable"
  | "import.unknown-format"
  | "import.empty"
  | "import.broken"
  | "rehearsal.scenario"
  | "rehearsal.port"
  | "trust.store"
  | "door.role"
  | "door.rate"
  | "door.schema"
  | "door.user"
  | "door.middleware"
  | "remote.closed"
  | "remote.unreachable"
  | "remote.protocol"
  | "remote.unknown-error"
  | "internal.bug";

/** Every error code with its meaning and what to do; docs/reference/errors.md is made from it. */
export const errorCatalog: Readonly<Record<ErrorCode, ErrorEntry>> = {
  "usage.invalid": {
    about: "A flag, argument or command is wrong.",
    action: "Read the message; `capstan help COMMAND` lists what is accepted.",
  },
  "usage.workspace-missing": {
    about: "The working directory does not exist or is not a directory.",
    action: "Check the path given with `-C`.",
  },
  "config.unreadable": {
    about: "A configuration file cannot be read.",
    action: "Check that it exists and may be read.",
  },
  "config.syntax": {
    about: "A configuration file is not valid TOML.",
    action: "Correct the named line, or start with `--safe-mode`.",
  },
  "config.invalid": {
    about: "A key is unknown or its value does not fit.",
    action: "Correct the named key; `capstan config show` lists all keys.",
  },
  "config.variable-missing": {
    about: "A `${VAR}` has no value and no default.",
    action: "Set the variable or write `${VAR:-default}`.",
  },
  "model.unknown": {
    about: "No provider of that name is known, or the model is not written `provider/id`.",
    action: "Use a known provider id, or define `[providers.NAME]`.",
  },
  "model.none": {
    about: "No model was named and no provider has a key.",
    action: "Set a provider's key, or name a model with `-m`.",
  },
  "provider.auth": { about: "The key is missing or was refused.", action: "Set the variable named in the message." },
  "provider.http": {
    about: "The vendor answered with an error status.",
    action: "Read the vendor's message. What may pass at another try was tried again.",
  },
  "provider.context": {
    about: "The conversation is longer than the model's window, even after it was made shorter.",
    action: "Attach less, or choose a model with a larger window; `capstan sessions compact` summarises.",
  },
  "provider.network": {
    about: "The vendor could not be reached, or the connection broke.",
    action: "Check network, proxy and base URL.",
  },
  "provider.stream": {
    about: "The answer broke off or reported an error in mid-stream.",
    action: "Try again; nothing of it was taken as an answer.",
  },
  "provider.timeout": {
    about: "The vendor did not answer, or stopped sending, for too long.",
    action: "Try again, or raise the time-outs.",
  },
  "provider.unavailable": {
    about: "The vendor failed several times in a row and is not asked for a moment.",
    action: "Wait as long as the message says, or name other models in `app.model_fallbacks`.",
  },
  "provider.protocol": {
    about: "The answer does not follow the wire's format.",
    action: "Check that the base URL speaks the configured wire.",
  },
  "session.unknown": { about: "No session has that id or prefix.", action: "`capstan sessions list` shows the ids." },
  "session.ambiguous": { about: "More than one session begins with that prefix.", action: "Give more characters." },
  "session.busy": { about: "Another process is writing to the session.", action: "Wait for it, or fork the session." },
  "storage.unavailable": {
    about: "The data directory or database cannot be opened or created.",
    action: "Check permissions and CAPSTAN_HOME.",
  },
  "storage.full": {
    about: "The disk is full; the turn was stopped and everything acknowledged is kept.",
    action: "Free space, then continue the session.",
  },
  "storage.failed": {
    about: "Reading or writing the database failed.",
    action: "Check the disk; the turn was stopped.",
  },
  "storage.newer-version": {
    about: "The database was written by a newer version.",
    action: "Update Capstan; nothing was changed.",
  },
  "storage.corrupt": {
    about: "The database or a record in it cannot be understood.",
    action: "`capstan doctor --repair` saves every record that can be read, after a backup.",
  },
  "tool.unknown": { about: "The model asked for a tool that does not exist.", action: "Reported to the model." },
  "tool.bad-arguments": {
    about: "The arguments do not fit the tool's schema.",
    action: "Reported to the model, with the field and how to fix it.",
  },
  "tool.malformed-arguments": {
    about: "The arguments are not valid JSON.",
    action: "Reported to the model; never executed.",
  },
  "tool.arguments-too-large": { about: "The arguments exceed the limit.", action: "Reported to the model." },
  "tool.call-incomplete": {
    about: "The answer was cut off before the call was certain to be whole.",
    action: "Reported to the model; never executed.",
  },
  "tool.write-limit": {
    about: "The call would write more bytes or files than a turn may.",
    action: "Reported to the model. Raise `limits.max_bytes_written_per_turn` or `limits.max_files_written_per_turn`.",
  },
  "tool.too-many-calls": {
    about: "The batch has more calls than allowed.",
    action: "Reported to the model; the surplus is not run.",
  },
  "tool.changed": {
    about: "The action in the journal is not the one that was judged: its digest does not fit.",
    action: "Reported to the model; not run.",
  },
  "tool.loop": { about: "The same call was made again and again.", action: "Reported to the model; not run." },
  "tool.bad-result": {
    about: "A tool ran, and its result is not what it declares (`outputSchema`).",
    action: "Reported to the model; correct the tool or its schema.",
  },
  "tool.failed": { about: "A tool ran and failed.", action: "Reported to the model." },
  "web.blocked": {
    about: "An address that is not fetched: a private one, or a port that is not open to tools.",
    action: "Reported to the model. `tools.webfetch.ports` says which ports are open; private addresses never are.",
  },
  "web.failed": {
    about: "A page, or a search, that was not had; the result's details name the reason.",
    action: "Reported to the model.",
  },
  "tool.undone": {
    about: "A crash interrupted the call, and a user chose to take back what it had done.",
    action: "Reported to the model.",
  },
  "tool.timeout": {
    about: "A tool took too long and was stopped.",
    action: "Reported to the model; raise the time-out if it was right.",
  },
  "path.outside": { about: "The path leads outside the workspace.", action: "Add the directory with `--add-dir`." },
  "path.denied": {
    about: "The path is protected by a deny pattern.",
    action: "Change `[tools.sandbox] denied_patterns` to allow the path.",
  },
  "path.invalid": {
    about: "The path has characters or a form that is not accepted.",
    action: "Write a plain path inside the workspace.",
  },
  "path.not-found": { about: "There is nothing at that path.", action: "Reported to the model." },
  "path.not-a-file": { about: "The path is a directory, device, pipe or socket.", action: "Reported to the model." },
  "file.exists": { about: "write_file was asked to overwrite without `overwrite`.", action: "Reported to the model." },
  "file.too-large": { about: "The file exceeds the reading limit.", action: "Read a range." },
  "file.binary": { about: "The file is not text.", action: "Reported to the model." },
  "file.not-read": { about: "The file was not read in this session before being changed.", action: "Read it first." },
  "file.stale": { about: "The file changed since it was read.", action: "Read it again." },
  "edit.no-match": {
    about: "The text to replace does not occur.",
    action: "Reported to the model, with the nearest lines.",
  },
  "edit.not-unique": { about: "The text to replace occurs more than once.", action: "Give more context." },
  "patch.syntax": {
    about: "The patch has neither the form LP1 nor the form `*** Begin Patch`.",
    action: "Reported to the model, with the line.",
  },
  "patch.failed": {
    about: "A patch operation does not fit the file.",
    action: "Reported to the model; no file was changed.",
  },
  "sandbox.unavailable": {
    about: "The sandbox is required, and this machine does not support it.",
    action: "Install bubblewrap, or do not require it; `capstan doctor` says what is missing.",
  },
  "sandbox.failed": {
    about: "A command could not be started in the sandbox.",
    action: "Reported to the model; nothing was run, and nothing is tried outside.",
  },
  "sandbox.layout": {
    about: "The workspace is a place that the sandbox cannot isolate (the home directory, `/`, \u2026).",
    action: "Work in a separate directory.",
  },
  "quarantine.not-found": {
    about: "Nothing in quarantine has this id, or several have ids that begin so.",
    action: "`capstan quarantine list` shows what there is.",
  },
  "quarantine.occupied": {
    about: "What is in quarantine cannot go back: something else is at its place, or its directory is gone.",
    action: "Move that away, or make the directory, and restore again.",
  },
  "interaction.unknown": {
    about: "There is no such interaction.",
    action: "List them with `capstan interactions list`.",
  },
  "interaction.settled": {
    about: "The interaction was answered already, or withdrawn.",
    action: "Nothing changes; `capstan sessions show` has the answer that counted.",
  },
  "interaction.expired": {
    about: "The answer came after the interaction's time was up.",
    action: "Nothing changes; it counts as denied.",
  },
  "interaction.stale": {
    about: "The answer belongs to something else than the open question.",
    action: "Read the question again, then answer it.",
  },
  "interaction.not-yours": {
    about: "Another user must answer.",
    action: "Let one of the named users answer.",
  },
  "interaction.wrong-answer": {
    about: "The interaction does not take this kind of answer.",
    action: "Use one of the answers that the message names.",
  },
  "answer.schema": {
    about: "The model was asked twice more, and its answer still does not fit the schema of `--json-schema`.",
    action: "Read what does not fit; make the schema simpler, or ask another model.",
  },
  "tool.not-offered": {
    about: "The tool is not available in the session's mode.",
    action: "Reported to the model; not run.",
  },
  "import.unreadable": {
    about: "The file or folder to import cannot be read.",
    action: "Name a session file; the message says what is wrong with this one.",
  },
  "import.unknown-format": {
    about: "The file is no session file of an agent that Capstan knows.",
    action: "Use the files of Capstan, Claude Code, Codex CLI, pi, opencode, Gemini CLI or Ted.",
  },
  "import.empty": { about: "The file is recognised, and its conversation is empty.", action: "Name another file." },
  "import.broken": {
    about: "An exported session was changed or cut; the message says where.",
    action: "Export it again, or keep its good beginning with `--heal`.",
  },
  "rehearsal.scenario": { about: "A scenario file cannot be read or is wrong.", action: "Correct the named field." },
  "rehearsal.port": {
    about: "The rehearsal server cannot listen on that port.",
    action: "Choose another with `--port`.",
  },
  "trust.store": {
    about: "The trust store cannot be read or written: another user could have changed it, or the disk failed.",
    action: "Make the folder `trust` of the data directory yours alone, or remove it and trust your folders again.",
  },
  "door.role": {
    about: "The client's role does not include what was asked for.",
    action: "Ask through a client with the role that the message names.",
  },
  "door.rate": {
    about: "There were too many requests at once.",
    action: "Wait for an answer, or close what is not needed.",
  },
  "door.schema": {
    about: "A request is not valid: the line, the operation or a parameter.",
    action: "Correct the field that the message names; `docs/reference/operations.md` has them all.",
  },
  "door.user": {
    about: "The program that embeds the engine does not let this user in.",
    action: "Ask whoever runs that program to name you among its users.",
  },
  "door.middleware": {
    about: "A middleware of the program that embeds the engine refused, failed, or gave no answer in time.",
    action: "Do what the message says; where it failed, the program's reports say why.",
  },
  "remote.closed": {
    about: "The connection to the session's owner has ended.",
    action: "Open the session again; everything acknowledged is kept.",
  },
  "remote.unreachable": {
    about: "The session's owner cannot be reached.",
    action: "Wait for it to end, or read the session without it.",
  },
  "remote.protocol": {
    about: "The other process sent something that is not an answer of Capstan.",
    action: "Use the same version of Capstan on both sides.",
  },
  "remote.unknown-error": {
    about: "The other process reported an error that this version does not know; the message has its code.",
    action: "Update Capstan.",
  },
  "internal.bug": {
    about: "An internal error: something happened that must not happen.",
    action: "Please report it with the message.",
  },
};
