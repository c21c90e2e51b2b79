/** What the rules read of a Gemini request whose fields have the right types. */
export interface GoogleRequest {
  readonly contents: readonly GoogleContent[];
  readonly systemInstruction?: { readonly parts: readonly GooglePart[] } | undefined;
  readonly tools?: readonly GoogleTool[] | undefined;
  readonly toolConfig?: object | undefined;
  readonly cachedContent?: string | undefined;
  readonly generationConfig?:
    | {
        readonly thinkingConfig?:
          | { readonly thinkingBudget?: number | undefined; readonly thinkingLevel?: string | undefined }
          | undefined;
      }
    | undefined;
}

export interface GoogleContent {
  readonly role?: "user" | "model" | undefined;
  readonly parts: readonly GooglePart[];
}

export interface GoogleTool {
  readonly functionDeclarations?: readonly GoogleFunction[] | undefined;
}

export interface GoogleFunction {
  readonly name: string;
  readonly parameters?: object | undefined;
  readonly parametersJsonSchema?: object | undefined;
}

export interface GooglePart {
  readonly text?: string | undefined;
  readonly thought?: boolean | undefined;
  readonly thoughtSignature?: string | undefined;
  readonly functionCall?: NamedCall | undefined;
  readonly functionResponse?: NamedCall | undefined;
}

/** A call or a response: what pairs them. */
export interface NamedCall {
  readonly id?: string | undefined;
  readonly name: string;
}
