const esc = "\u001b";

/** Texts that make a terminal do something, or show what is not there, by family. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "CSI, erase": `${esc}[2J${esc}[1;1H`,
  "CSI, colours": `${esc}[31;5m`,
  "CSI, cursor report": `${esc}[6n`,
  "CSI, window report": `${esc}[21t`,
  "CSI, mouse": `${esc}[?1000h${esc}[?1003h`,
  "CSI, other screen": `${esc}[?1049h`,
  "CSI, end of a paste": `${esc}[201~rm -rf /\n`,
  "CSI, cut off": `${esc}[38;2;1`,
  "CSI with intermediates": `${esc}[!p${esc}[?5$p`,
  "OSC 0, title": `${esc}]0;owned\u0007`,
  "OSC 7, folder": `${esc}]7;file://evil/x${esc}\\`,
  "OSC 8, link": `${esc}]8;;http://evil.test${esc}\\click${esc}]8;;${esc}\\`,
  "OSC 9, message": `${esc}]9;owned\u0007`,
  "OSC 52, clipboard": `${esc}]52;c;ZXZpbA==\u0007`,
  "OSC 133, marks": `${esc}]133;A\u0007`,
  "OSC 777, message": `${esc}]777;notify;a;b\u0007`,
  "OSC 1337, file": `${esc}]1337;File=name=eA==;inline=1:AAAA\u0007`,
  "OSC, never ended": `${esc}]0;never ended`,
  DCS: `${esc}P$qm${esc}\\`,
  "DCS, sixel": `${esc}Pq#0;2;0;0;0~~${esc}\\`,
  "APC, PM, SOS": `${esc}_apc${esc}\\${esc}^pm${esc}\\${esc}Xsos${esc}\\`,
  "8-bit CSI": "\u009b31m\u009b2J",
  "8-bit OSC and DCS": "\u009d0;t\u009c\u0090q\u009c",
  "two characters": `${esc}c${esc}7${esc}M${esc}(0`,
  "nested escapes": `${esc}${esc}[${esc}[2J${esc}]0;${esc}]0;x\u0007`,
  "returns and backspaces": "safe\rrm -rf x\b\b\b\u0007\u000e\u000f",
  "vertical tab and form feed": "a\u000bb\u000cc\u0085d",
  "DEL and shifts": "a\u007fb\u008ec\u008fd",
  "directions": "\u202egnp.exe\u2066x\u2069\u061c\u200f",
  "zero widths": "a\u200bb\u2060c\ufeffd\u00ade",
  tags: "a\u{e0041}\u{e0042}\u{e007f}",
  "separators of lines": "a\u2028b\u2029c",
}; // prettier-ignore

/**
 * What reaches a terminal besides text, line ends, the colours that Capstan sets itself, and how it marks what it waits for.
 * @returns the foreign characters
 */
export function foreignCharacters(bytes: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const own = bytes.replace(/\u001b\[(?:0|1|2|3|4|9|22|23|24|29|3[0-9]|9[0-7])m/g, "").replaceAll("\r\n", "\n");
  const foreign =
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
  return own.match(foreign) ?? [];
}
