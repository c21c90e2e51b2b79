const firstBeyondAscii = 0x80;
const byteOrderMark = "\ufeff";

/**
 * Turns the bytes of a stream into text, however they are cut. Node's own conversion is several times faster than a `TextDecoder`,
 * which is asked only where a character may be torn.
 */
export class Utf8Text {
  // The mark may only be dropped at the very beginning, and the decoder is not always asked first.
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private begun = false;
  private mayBeTorn = false;

  add(bytes: Buffer): string {
    const endsTorn = (bytes.at(-1) ?? 0) >= firstBeyondAscii;
    const text = this.mayBeTorn || endsTorn ? this.decoder.decode(bytes, { stream: true }) : bytes.toString("utf8");
    if (bytes.length > 0) this.mayBeTorn = endsTorn;
    if (this.begun || text === "") return text;
    this.begun = true;
    return text.startsWith(byteOrderMark) ? text.slice(1) : text;
  }

  /** No more bytes come; returns what a torn character leaves. */
  end(): string {
    return this.decoder.decode();
  }
}
