import type { Everyday } from "./everyday-command.ts";

export const everydayRust: Everyday = {
  name: "Rust",
  needs: ["cargo", "rustc", "git"],
  files: {
    "Cargo.toml":
      '[package]\nname = "adder"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ngreet = { path = "greet" }\n',
    "greet/Cargo.toml": '[package]\nname = "greet"\nversion = "0.1.0"\nedition = "2021"\n',
    "greet/src/lib.rs": 'pub fn hello(name: &str) -> String {\n    format!("hello {name}")\n}\n',
    "src/lib.rs":
      "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n",
    "src/main.rs": 'fn main() {\n    println!("{} {}", greet::hello("ada"), adder::add(1, 2));\n}\n',
    ".gitignore": "target\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "rustc --version",
    "cargo --version",
    "cargo build --offline -q",
    "cargo run --offline -q",
    "cargo check --offline -q",
    "cargo test --offline -q 2>&1 | grep -c '1 passed'",
    "cargo metadata --offline --format-version 1 --no-deps | head -c 12",
    "cargo tree --offline | wc -l",
    "cargo build --offline -q --release && target/release/adder",
    "rustc --edition 2021 --crate-type lib -o $TMPDIR/libadder.rlib src/lib.rs",
    "cargo clean 2>/dev/null && git status --short",
    {
      command: "cargo add serde",
      reaches: "index.crates.io",
      differs:
        'There is no network but hosts that you open: `sandbox.hosts = ["index.crates.io", "static.crates.io"]`, or your answer to a question.',
    },
  ],
};
