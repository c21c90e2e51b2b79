/**
 * A language server whose only rule is that the word WRONG is an error, and SHAKY a warning. Its first argument says how it behaves:
 * push, pull, late (says it when it is informed of the next text), silent, deaf (never begins), dies (at the first file), floods, garbles.
 */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const way = process.argv[2] ?? "push";
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const texts = new Map();
const owed = [];

function diagnosticsOf(text) {
  return text.split("\n").flatMap((line, at) =>
    [...line.matchAll(/WRONG\w*|SHAKY/g)].map(({ 0: word, index }) => ({
      range: { start: { line: at, character: index }, end: { line: at, character: index + word.length } },
      severity: word === "SHAKY" ? 2 : 1,
      code: 7,
      message: `${word} is not right`,
    })),
  );
}

function received(uri, version, text) {
  texts.set(uri, text);
  const say = () =>
    connection.sendNotification("textDocument/publishDiagnostics", { uri, version, diagnostics: diagnosticsOf(text) });
  if (way === "push") void say();
  if (way === "late") {
    owed.push(say);
    if (owed.length > 1) for (const word of owed.splice(0)) void word();
  }
  if (way === "dies") {
    process.stderr.write("out of patience\n");
    process.exit(3);
  }
  if (way === "floods")
    setInterval(() => process.stdout.write("Content-Length: 99999999\r\n\r\n".padEnd(1_000_000, "x")), 1);
  if (way === "garbles") process.stdout.write("this is no message at all\r\n\r\n{}");
}

connection.onRequest("initialize", () =>
  way === "deaf" ? new Promise(() => undefined) : { capabilities: way === "pull" ? { diagnosticProvider: {} } : {} },
);
connection.onNotification("textDocument/didOpen", ({ textDocument: { uri, version, text } }) =>
  received(uri, version, text),
);
connection.onNotification("textDocument/didChange", ({ textDocument: { uri, version }, contentChanges }) =>
  received(uri, version, contentChanges[0].text),
);
connection.onRequest("textDocument/diagnostic", ({ textDocument: { uri } }) => ({
  kind: "full",
  items: diagnosticsOf(texts.get(uri) ?? ""),
}));
connection.listen();
