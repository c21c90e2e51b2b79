import { expect, test } from "vitest";
import { lexScript } from "../../src/commands/lexer.ts";

function checkPlain(script: string, ...commands: readonly (readonly string[])[]): void {
  expect({ script, ...lexScript(script) }).toEqual({ script, type: "plain", commands });
}

function checkOpaque(script: string, why: string): void {
  expect({ script, ...lexScript(script) }).toEqual({ script, type: "opaque", why });
}

test("plain words, quotes and lists are read as every shell reads them", () => {
  checkPlain("ls -la src", ["ls", "-la", "src"]);
  checkPlain("  git   status  ", ["git", "status"]);
  checkPlain("a && b || c | d; e\nf", ["a"], ["b"], ["c"], ["d"], ["e"], ["f"]);
  checkPlain("a;", ["a"]);
  checkPlain("\n\na\n\n", ["a"]);
  checkPlain("a &&\n\n b", ["a"], ["b"]);
  checkPlain("a|b", ["a"], ["b"]);
  checkPlain("echo 'a $(b) `c` \\ ! * ~'", ["echo", "a $(b) `c` \\ ! * ~"]);
  checkPlain(`grep "it's here" x`, ["grep", "it's here", "x"]);
  checkPlain(`a'b'"c"d`, ["abcd"]);
  checkPlain(`a '' ""`, ["a", "", ""]);
  checkPlain("a b=c --x=y @z 50% 1+1 u:v,w", ["a", "b=c", "--x=y", "@z", "50%", "1+1", "u:v,w"]);
  checkPlain("echo if then", ["echo", "if", "then"]);
});

test("whatever has a second meaning is opaque, and says which", () => {
  checkOpaque("echo $HOME", "a variable or substitution");
  checkOpaque("echo `id`", "a command substitution");
  checkOpaque('echo "$(id)"', "a variable or substitution inside quotes");
  checkOpaque("echo $'a'", "a variable or substitution");
  checkOpaque("a > b", "a redirection");
  checkOpaque("a < b", "a redirection");
  checkOpaque("a & b", "a background job or a redirection");
  checkOpaque("a |& b", "a background job or a redirection");
  checkOpaque("(a)", "a subshell or function");
  checkOpaque("a {b,c}", "a brace expansion or group");
  checkOpaque("ls *.ts", "a wildcard");
  checkOpaque("ls a?", "a wildcard");
  checkOpaque("ls ~", "a tilde");
  checkOpaque("ls a\\ b", "a backslash");
  checkOpaque("ls # all", "a comment");
  checkOpaque("! ls", "an exclamation mark");
  checkOpaque('echo "a!b"', "an exclamation mark inside quotes");
  checkOpaque("echo =ls", "a word that begins with `=`");
  checkOpaque("echo ''=ls", "a word that begins with `=`");
  checkOpaque('echo """"=ls', "a word that begins with `=`");
  checkOpaque("echo 'a' ''=ls", "a word that begins with `=`");
  checkPlain("echo ''a=b '='x a''=b", ["echo", "a=b", "=x", "a=b"]);
  checkOpaque("echo a^b", "the character `^`");
  checkOpaque("FOO=1 ls", "an assignment before the command");
  checkOpaque("a\tb", "a character that is not printable ASCII (U+0009)");
  checkOpaque("a\rb", "a character that is not printable ASCII (U+000D)");
  checkOpaque("a\u2028b", "a character that is not printable ASCII (U+2028)");
  checkOpaque("echo '\u200b'", "a character that is not printable ASCII (U+200B) inside quotes");
  checkOpaque("echo 'a\nb'", "a line break inside quotes");
  checkOpaque('echo "a', "a quote that is not closed");
  checkOpaque("echo 'a", "a quote that is not closed");
});

test("a list with a hole in it is opaque", () => {
  checkOpaque("", "nothing to run");
  checkOpaque(" \n ", "nothing to run");
  checkOpaque("; a", "`;` without a command before it");
  checkOpaque("a ;; b", "`;` without a command before it");
  checkOpaque("a && && b", "`&&` without a command before it");
  checkOpaque("a\n&& b", "`&&` without a command before it");
  checkOpaque("a &&", "`&&` without a command after it");
  checkOpaque("a |\n", "`|` without a command after it");
  checkOpaque("'' a", "an empty command name");
  checkOpaque("-x", "a command name that begins with `-`");
  checkOpaque("%1 a", "a command name that begins with `%`");
  checkOpaque("'%'", "a command name that begins with `%`");
});

test("words that begin shell constructs are not commands", () => {
  const constructs = "if for while time function coproc select case until repeat namespace";
  const declarations = "declare export float integer local readonly typeset";
  for (const word of `${constructs} ${declarations} run-help which-command`.split(" ")) {
    checkOpaque(`${word} a`, `the shell word \`${word}\``);
    checkOpaque(`a; ${word} b`, `the shell word \`${word}\``);
  }
});

test("long scripts and long lists are opaque", () => {
  checkPlain(`a ${"x".repeat(4094)}`, ["a", "x".repeat(4094)]);
  checkOpaque(`a ${"x".repeat(4095)}`, "more than 4096 characters");
  checkPlain(Array(32).fill("a").join(";"), ...Array.from({ length: 32 }, () => ["a"]));
  checkOpaque(Array(33).fill("a").join(";"), "more than 32 commands");
  checkOpaque(`${Array(33).fill("a").join(";")};`, "more than 32 commands");
});
