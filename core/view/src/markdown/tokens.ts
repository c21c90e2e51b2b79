import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { markdownDepth } from "../limits.ts";

/**
 * The blocks of a text by the lexer of `marked`; what stands within their lines is read by `inlineTokens`. The sources of the
 * tokens, joined, are the text.
 */
export function blockTokens(source: string): readonly Token[] {
  return newLexer().blockTokens(source);
}

export function inlineTokens(source: string): readonly Token[] {
  return newLexer().inlineTokens(source);
}

function newLexer(): Lexer {
  return new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() });
}

/**
 * Goes no deeper than a limit: what lies deeper is text. Definitions of links count for nothing, for one at the end of a text
 * would change what was shown long before: they are paragraphs, and the addresses in them links.
 */
class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  override def(): undefined {
    return undefined;
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#deeper(() => super.blockquote(source));
  }

  override list(source: string): Tokens.List | undefined {
    return this.#deeper(() => super.list(source));
  }

  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#deeper(() => super.emStrong(source, masked, before));
  }

  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#deeper(() => super.del(source, masked, before));
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    return this.#deeper(() => super.link(source));
  }

  #deeper<Found>(read: () => Found | undefined): Found | undefined {
    if (this.#depth >= markdownDepth) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}
