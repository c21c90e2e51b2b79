/** What a command or path pattern begins with that is a regular expression. */
export const regexMark = "regex:";
