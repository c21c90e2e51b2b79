import type { Everyday } from "./everyday-command.ts";

export const everydayRuby: Everyday = {
  name: "Ruby",
  needs: ["ruby", "rake", "bundle", "git"],
  files: {
    "lib/adder.rb": "module Adder\n  def self.add(a, b) = a + b\nend\n",
    "test/add_test.rb":
      "require 'minitest/autorun'\nrequire_relative '../lib/adder'\n\nclass AddTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Adder.add(1, 2)\n  end\nend\n",
    Rakefile:
      "task default: :test\n\ntask :test do\n  sh 'ruby test/add_test.rb > /dev/null && echo passed', verbose: false\nend\n",
    Gemfile: "gem 'greet', path: 'vendor/greet'\n",
    "vendor/greet/greet.gemspec":
      "Gem::Specification.new do |spec|\n  spec.name = 'greet'\n  spec.version = '1.0'\n  spec.summary = 'greets'\n  spec.authors = ['A']\n  spec.files = ['lib/greet.rb']\nend\n",
    "vendor/greet/lib/greet.rb": 'module Greet\n  def self.hello(name) = "hello #{name}"\nend\n',
    ".gitignore": "*.gem\n.bundle\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "ruby --version",
    "ruby -c lib/adder.rb",
    "ruby -Ilib -radder -e 'puts Adder.add(1, 2)'",
    "ruby test/add_test.rb | grep -c '1 runs, 1 assertions, 0 failures'",
    "rake",
    "rake -T | wc -l",
    "bundle install --local --quiet && cat Gemfile.lock",
    "bundle exec ruby -e 'require %q(greet); puts Greet.hello(:ada)'",
    "bundle list 2>&1 | grep -c greet",
    "gem build greet.gemspec -C vendor/greet -o $TMPDIR/greet.gem 2>/dev/null | grep -c Success",
    "gem list --local | grep -c minitest",
    "ruby -rtempfile -e 'Tempfile.create { |file| puts File.exist?(file) }'",
    { command: "ruby -e 'exit 5'", code: 5 },
    "git status --short",
  ],
};
