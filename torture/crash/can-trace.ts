import { spawnSync } from "node:child_process";

let known: boolean | undefined;

/** Whether strace is there and may inject signals here; containers often forbid it. */
export function canTrace(): boolean {
  known ??=
    spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "-e", "inject=fsync:signal=KILL:when=9", "true"]).status === 0;
  return known;
}

/** The words in front of a command that make the n-th of these system calls its last. */
export function tracing(calls: string, count: number): readonly string[] {
  return [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:signal=KILL:when=${count}`,
  ];
}
