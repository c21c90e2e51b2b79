import { describe, expect, test } from "vitest";

import { matchesExample } from "../src/rules/rule-example.ts";
import { commandAction, judgeUnder, rules } from "./situations.ts";

const everything = { yolo: true, mode: "auto", rules: rules("allow run_command") } as const;

describe("what no rule, mode or --yolo lets pass", () => {
  test.each([
    "rm -rf /",
    "rm -r -f /*",
    "rm --recursive --force /",
    "/bin/rm -fR /",
    "rm -rf ~",
    "rm -rf ~/",
    'rm -rf "$HOME"',
    "rm -rf ${HOME}/*",
    "rm -rf /home/someone",
    "rm -rf ..",
    "rm -rf ../../..",
    "rm -rf /ws/..",
    "ls && rm -rf /",
    "env A=1 nice -n 5 rm -rf /",
    "sudo rm -rf /",
    "timeout 5 rm -rf /",
    "if true; then rm -rf /; fi",
    "x=$(rm -rf /)",
    "chmod -R 777 /",
    "chown -R me ~",
    "find / -delete",
    "find / -exec rm {} +",
    "mkfs.ext4 /dev/sda1",
    "mkfs /dev/sda1",
    "dd if=x of=/dev/sda",
    ":(){ :|:& };:",
    "bomb() { bomb | bomb & }; bomb",
    "shutdown -h now",
    "reboot",
    "halt",
    "init 0",
    "init 6",
    "systemctl poweroff",
    "systemctl --no-wall reboot",
    "systemctl kexec",
    "telinit 6",
    "poweroff",
    "chgrp --recursive all /",
    "chmod -vR 777 ~/",
    "find ~ -execdir rm {} ;",
    "dd if=x of=/dev/nullx",
    "timeout 5s nice -n 5 rm -rf /",
    "while rm -R /; do :; done",
    "xargs rm -rf /",
    "A=1 B=2 rm -rf /",
    "rm -rf -- /",
    "'rm' -r\"f\" /",
  ])("%s", (command) => {
    const judgement = judgeUnder(commandAction(command, "/ws"), everything);
    expect(judgement.verdict).toBe("deny");
    expect(judgement.reason).toContain("The blocklist stops it");
  });

  test.each([
    "rm -rf node_modules",
    "rm /",
    "rm -f ~",
    "ls -R /",
    "rm -rf ./dist /ws/build",
    "rm -f /tmp/x",
    "rm -rf ~/work/dist",
    "echo 'rm -rf /'",
    "git commit -m 'no more; rm -rf / in scripts'",
    "chmod -R u+w dist",
    "find . -name '*.o' -delete",
    "dd if=/dev/zero of=file bs=1 count=1",
    "dd if=file of=/dev/null",
    "npm run shutdown",
    "grep -r reboot src",
    "git init 0",
    "init 1",
    "telinit",
    "systemctl restart nginx",
    "chmod 777 /",
    "chown me ~",
    "chmod u-R /",
    "rm -f -- /",
    "find / -name '*.o'",
    "find / -exec ls {} +",
    "dd if=/dev/sda of=/dev/stdout",
    "dd if=/dev/sda of=/dev/zero",
    "dd if=/dev/sda of=/dev/full",
    "mkfs.ext4x/y",
    "nice -n 5 ls /",
    "env shutdown=1 ls",
  ])("%s is none of it", (command) => {
    expect(judgeUnder(commandAction(command, "/ws"), everything).verdict).toBe("allow");
  });

  test.each(["sudo ls", "ls && sudo make install", "doas ls", "env X=1 sudo -u other ls"])(
    "%s is asked about, whatever allows it",
    (command) => {
      expect(judgeUnder(commandAction(command, "/ws"), everything).verdict).toBe("ask");
      expect(
        judgeUnder(commandAction(command, "/ws"), { ...everything, rules: rules("deny run_command") }).verdict,
      ).toBe("deny");
    },
  );
});

test.each([
  ["deny run_command(rm -rf *)", "rm -rf ~"],
  ["allow run_command(sudo ls)", "sudo ls"],
])("%s speaks of its example, whatever the blocklist says of the command", (line, example) => {
  expect(rules(line).map((rule) => matchesExample(rule, example))).toEqual([true]);
});
