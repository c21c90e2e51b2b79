/** An editor: the official client of the protocol, which drives the real binary. */
import * as acp from "@agentclientprotocol/sdk";
import type { Place, Stage } from "../stage/place.ts";
import { limited } from "../stage/place.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

export type Update = acp.SessionUpdate;
export type Permission = acp.RequestPermissionRequest;

/** What an editor answers to a question: the kind of the option it takes, an option by its id, that it was cancelled, or later. */
export type Reply = acp.PermissionOptionKind | { readonly option: string } | "cancelled";

export interface EditorOptions {
  readonly args?: readonly string[];
  readonly capabilities?: acp.ClientCapabilities;
  /** For each question. */
  readonly reply?: (permission: Permission, number: number) => Reply | Promise<Reply>;
  readonly fillForm?: (form: acp.CreateElicitationRequest) => acp.CreateElicitationResponse;
  /** Without it `initialize` is sent. */
  readonly isSilent?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** @see openEditor */
export class Editor {
  readonly process: RunningCapstan;
  readonly context: acp.ClientContext;
  readonly updates: { readonly sessionId: string; readonly update: Update }[] = [];
  readonly permissions: Permission[] = [];
  readonly forms: acp.CreateElicitationRequest[] = [];
  /** What the client was shown it need not answer any more. */
  readonly cancelledRequests: unknown[] = [];
  /** Every line that came. */
  readonly lines: string[] = [];
  readonly #place: Place;
  readonly #waiting = new Set<() => void>();

  constructor(place: Place, stage: Pick<Stage, "env">, options: EditorOptions) {
    const { args = [], env = {} } = options;
    const flags = ["acp", "-m", "anthropic/rehearsal", "--set", "retry.base_delay_ms=1", ...args];
    this.#place = place;
    this.process = place.start(flags, { env: { ...stage.env, ...env }, holdInput: true });
    this.context = this.#connect(options).agent;
  }

  get workspace(): string {
    return this.#place.workspace;
  }

  async newSession(mcpServers: readonly acp.McpServer[] = []): Promise<string> {
    const opened = await this.context.request("session/new", { cwd: this.workspace, mcpServers: [...mcpServers] });
    return opened.sessionId;
  }

  async load(sessionId: string): Promise<acp.LoadSessionResponse> {
    return await this.context.request("session/load", { sessionId, cwd: this.workspace, mcpServers: [] });
  }

  async prompt(sessionId: string, text: string): Promise<acp.StopReason> {
    const prompt = [{ type: "text" as const, text }];
    const request = this.context.request<acp.PromptResponse, acp.PromptRequest>("session/prompt", {
      sessionId,
      prompt,
    });
    return (await request).stopReason;
  }

  async cancel(sessionId: string): Promise<void> {
    await this.context.notify("session/cancel", { sessionId });
  }

  /** Resolves when it holds, looked at with every line that comes. */
  until(what: string, holds: () => boolean): Promise<void> {
    return limited(
      () => `${what}, after ${this.lines.slice(-5).join("\n")}`,
      (resolve) => {
        const look = (): void => {
          if (!holds()) return;
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
        look();
      },
    );
  }

  /** What was shown of one kind. */
  shown<Kind extends Update["sessionUpdate"]>(kind: Kind): readonly Extract<Update, { sessionUpdate: Kind }>[] {
    return this.updates.flatMap(({ update }) => (isOf(update, kind) ? [update] : []));
  }

  /** Ends standard input. @returns the exit code */
  async end(): Promise<number | null> {
    this.process.endInput();
    return (await this.process.ended).code;
  }

  #connect({ reply = () => "allow_once", fillForm }: EditorOptions): acp.ClientConnection {
    const output = new WritableStream<Uint8Array>({
      write: (bytes) => this.process.write(Buffer.from(bytes).toString("utf8")),
    });
    return acp
      .client({ name: "editor under test" })
      .onNotification("session/update", ({ params }) => {
        this.updates.push(params);
        this.#look();
      })
      .onRequest("session/request_permission", async ({ params, signal }) => {
        this.permissions.push(params);
        signal.addEventListener("abort", () => {
          this.cancelledRequests.push(params.toolCall.toolCallId);
          this.#look();
        });
        this.#look();
        return answerTo(params, await reply(params, this.permissions.length));
      })
      .onRequest("elicitation/create", ({ params }) => {
        this.forms.push(params);
        return fillForm?.(params) ?? { action: "cancel" };
      })
      .connect(acp.ndJsonStream(output, this.#input()));
  }

  #input(): ReadableStream<Uint8Array> {
    let rest = "";
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.process.onStdout((piece) => {
          const lines = (rest + piece.toString("latin1")).split("\n");
          rest = lines.pop() ?? "";
          this.lines.push(...lines.map((line) => Buffer.from(line, "latin1").toString("utf8")));
          controller.enqueue(new Uint8Array(piece));
          this.#look();
        });
        this.process.ended.then(
          () => controller.close(),
          () => controller.close(),
        );
      },
    });
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

/** Starts the binary and says hello. */
export async function openEditor(
  place: Place,
  stage: Pick<Stage, "env">,
  options: EditorOptions = {},
): Promise<Editor> {
  const editor = new Editor(place, stage, options);
  const clientCapabilities = options.capabilities ?? { session: { notices: {}, compaction: {} } };
  if (options.isSilent !== true) await editor.context.request("initialize", { protocolVersion: 1, clientCapabilities });
  return editor;
}

function isOf<Kind extends Update["sessionUpdate"]>(
  update: Update,
  kind: Kind,
): update is Extract<Update, { sessionUpdate: Kind }> {
  return update.sessionUpdate === kind;
}

function answerTo({ options }: Permission, reply: Reply): acp.RequestPermissionResponse {
  if (reply === "cancelled") return { outcome: { outcome: "cancelled" } };
  const optionId = typeof reply === "object" ? reply.option : options.find(({ kind }) => kind === reply)?.optionId;
  if (optionId === undefined) throw new Error(`no option ${JSON.stringify(reply)} in ${JSON.stringify(options)}`);
  return { outcome: { outcome: "selected", optionId } };
}
