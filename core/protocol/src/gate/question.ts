/** One question of the model's. Without options any text is an answer. */
export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}
