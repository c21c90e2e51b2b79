import { type MatrixFault, shown } from "./crash-matrix-cell.ts";
import {
  anthropicOracle,
  anthropicReader,
  badInput,
  brokenAnswers,
  brokenStreams,
  compaction,
  dyingInArguments,
  exchange,
  fromStreaming,
  harmlessAnswers,
  largeArgument,
  limits,
  openBatch,
  proxy,
  refused,
  summaryFails,
} from "./crash-matrix-tests.ts";

const inArguments = (fault: "cut" | "end" | "stall" | "error-event") =>
  dyingInArguments(
    "%s in mid arguments: what was received of the call is dropped, and the call that comes whole runs once",
    fault,
  );

const tried = brokenStreams("%j is tried again");
const brokeOff = brokenStreams("a call in an answer that broke off is not run, wherever it broke off");
const anywhereCut = anthropicReader("a stream cut after any event is a retryable failure, never an answer");

/** A summary is one more model call, read as every other. */
const noSummary = compaction("when %s nothing changes, and waiting words begin");

export const networkFaults: readonly MatrixFault[] = [
  {
    fault: "A reset, an early end, a wrong length, a bad chunk",
    cells: {
      P1: shown(
        "m",
        brokenAnswers("$id: $vendor", "reset"),
        tried,
        exchange("broken connections are retryable failures"),
      ),
      P2: shown(
        "b+m",
        brokenStreams("a stream that breaks ($type at $at) is made again, and shown once"),
        brokenAnswers("$id: $vendor", "reset-midway"),
      ),
      P3: shown("c+m", inArguments("cut"), inArguments("end"), brokeOff),
      P10: shown("i+m", ...summaryFails("a broken connection"), ...summaryFails("a stream that ends too early")),
    },
  },
  {
    fault: "Silence, half-open connections, a byte now and then",
    cells: {
      P1: shown(
        "n",
        brokenAnswers("$id: $vendor", "stall"),
        exchange("silence ends in a time-out that says where it was waited"),
      ),
      P2: shown(
        "n",
        brokenStreams("silence in mid-stream is given up and made again"),
        limits("--timeout ends a turn whose model hangs"),
      ),
      P3: shown("n+c", inArguments("stall"), limits("--timeout ends a turn whose model hangs")),
      P10: shown("n+i", ...summaryFails("silence")),
    },
  },
  {
    fault: "429, 5xx, pages of proxies; an overload as an event in mid-stream",
    cells: {
      P1: shown(
        "m",
        tried,
        refused("$id: $vendor", "503-page"),
        brokenStreams("attempts run out: the provider failed, with its status, its request and what to do"),
        brokenStreams("a request to wait longer than the limit ends the run instead"),
      ),
      P2: shown("b+m", brokenAnswers("$id: $vendor", "error-later"), tried),
      P3: shown("c+m", inArguments("error-event")),
      P10: shown("m+i", ...summaryFails("a refusal by an overloaded vendor")),
    },
  },
  {
    fault: "No such host, no TLS, another certificate",
    note: "After the connection stands a failure of name or certificate looks like any broken connection.",
    cells: {
      P1: shown(
        "m",
        badInput("nobody listens at the base URL: the provider failed"),
        brokenAnswers("$id: $vendor", "refused"),
        proxy("a configured certificate authority is trusted, another is not"),
      ),
      P2: shown("b", brokenAnswers("$id: $vendor", "reset-midway")),
      P3: shown("c", inArguments("cut"), brokeOff),
      P10: shown("i+m", ...summaryFails("a broken connection")),
    },
  },
];

const repeated = anthropicReader("events that are repeated or out of order are refused");
const afterEnd = anthropicReader("what follows the end counts for nothing");
const anyCut = anthropicOracle("any stream, cut anywhere, any number of times, reads the same");
const unknown = anthropicReader("unknown events, deltas and blocks are kept, never fatal");

export const answerFaults: readonly MatrixFault[] = [
  {
    fault: "Events twice, out of order, missing, after the end; odd lines; a line of megabytes",
    cells: {
      P1: shown(
        "o",
        brokenAnswers("$id: $vendor", "start-changed"),
        brokenAnswers("$id: $vendor", "no-json"),
        repeated,
      ),
      P2: shown(
        "o/b",
        harmlessAnswers("$id: $vendor", "delta-twice", "end-twice", "cut-line", "bom", "comments", "crlf"),
        anthropicReader("line ends %j and a byte order mark change nothing", "CR only"),
        anywhereCut,
        exchange("an event that never ends is refused at its limit"),
      ),
      P3: shown("o/c", anywhereCut, largeArgument("$id: $vendor", "large-argument"), inArguments("end")),
      P4: shown("o", afterEnd, harmlessAnswers("$id: $vendor", "end-twice")),
      P10: shown("o+i", ...summaryFails("events that make no sense"), noSummary),
    },
  },
  {
    fault: "Characters split at every byte, bytes that are no text, half surrogates",
    cells: {
      P2: shown(
        "u",
        brokenStreams("2 MB in 40-byte pieces, cut at arbitrary bytes, arrive byte for byte"),
        brokenStreams("an answer in writes of %i bytes arrives whole"),
        anthropicReader(
          "invalid UTF-8 and lone surrogates become replacement characters; halves of one character meet",
        ),
      ),
      P3: shown(
        "u/c",
        anyCut,
        anthropicReader("arguments of calls: empty, given whole, malformed, no object, too deep"),
      ),
      P10: shown("u+i", anyCut, noSummary),
    },
  },
  {
    fault: "Arguments that are huge, deep, of wrong types, cut at the output limit, with something behind them",
    cells: {
      P3: shown(
        "c",
        limits("calls of an answer that hit the output limit are answered, never run"),
        openBatch("arguments are measured in UTF-8 bytes: the largest passes, one more is refused"),
        largeArgument("$id: $vendor", "large-argument"),
      ),
      P4: shown(
        "v",
        limits("arguments %j are answered with what is wrong, never run"),
        openBatch("malformed arguments are answered and never run; the other calls of the batch are"),
        anthropicReader("arguments of calls: empty, given whole, malformed, no object, too deep"),
      ),
    },
  },
  {
    fault: "Events, blocks or tools that nobody knows",
    cells: {
      P2: shown(
        "w",
        fromStreaming("unknown stream events are reported to users, at most eight a step"),
        harmlessAnswers("$id: $vendor", "unknown-event"),
        unknown,
      ),
      P3: shown("w", unknown),
      P4: shown("v", limits("a tool nobody offered is answered")),
      P10: shown("w+i", unknown, noSummary),
    },
  },
];
