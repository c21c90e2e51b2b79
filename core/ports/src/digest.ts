/** SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex digits. */
export type Digest = (text: string) => string;
