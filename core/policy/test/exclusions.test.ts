import { expect, test } from "vitest";
import { type Command, judgeCommandUnder, rules } from "./situations.ts";

const under = { yolo: true, rules: rules("deny Read(**/.git/**)", "deny Read(**/.env)") };

test.each<Command>([
  "find . -type f -not -path './.git/*'",
  ["find", ".", "-type", "f", "!", "-name", ".env", "-print"],
  "find . -path ./.git -prune -o -type f -print",
  "grep -rn --exclude-dir=.git foo .",
  "/bin/grep --exclude-dir .git --exclude=.env -rn foo src",
  "rsync --exclude .git -a . /tmp/x",
  "rsync -a --exclude=.git . /tmp/x",
  "tar --exclude=.git --exclude=.env -cf /tmp/a.tar .",
  "tree -I .git",
])("what a command leaves out is not what it reads: %s", (command) => {
  expect(judgeCommandUnder(command, under).verdict).toBe("allow");
});

test.each([
  "find . -path './.git/*'",
  "find .git -not -name x",
  "find . -name .env -prune -exec cat {} +",
  "find . -newer -not -path ./.env -exec cat {} +",
  "find . -name x -prune -o -name .env",
  "grep -f --exclude .env",
  "rsync -e --exclude .env /tmp/x",
  "find . -not -name .env -o -exec cat {} +",
  "grep --exclude=.env foo .env",
  "grep foo -- --exclude .env",
  "grep --exclude-dir -r .env",
  "cat --exclude=.env",
  "./grep --exclude=.env foo",
  "tar -cf /tmp/a.tar --exclude=x .env",
  "rsync --exclude-from=.env . /tmp/x",
  "tree -o .env",
])("what is not surely left out counts as read: %s", (command) => {
  expect(judgeCommandUnder(command, under).verdict).toBe("deny");
});

test.each<Command>([
  "echo 'put it into .env'",
  ["echo", ".env"],
  "echo .git/config",
  "basename .git/HEAD",
  "echo see .env && ls src",
])("what is only said is not what is read: %s", (command) => {
  expect(judgeCommandUnder(command, under).verdict).toBe("allow");
});

test.each<Command>([
  "echo x > .env",
  "echo < .env",
  'echo "$(cat .env)"',
  'echo "$(< .env)"',
  "echo `cat .env`",
  "echo .env | xargs cat .env",
  "echo .env; cat .env",
  "./echo .env",
  ["./echo", ".env"],
  "echo() { cat $1; }; echo .env",
  "printf x > .git/config",
  "tr a b < .env",
  "cat .env",
])("what stands behind what is said counts as read: %s", (command) => {
  expect(judgeCommandUnder(command, under).verdict).toBe("deny");
});
