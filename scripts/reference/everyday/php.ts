import type { Everyday } from "./everyday-command.ts";

export const everydayPhp: Everyday = {
  name: "PHP",
  needs: ["php", "composer", "git"],
  files: {
    "src/Adder.php":
      "<?php\n\nnamespace App;\n\nfinal class Adder\n{\n    public static function add(int $a, int $b): int\n    {\n        return $a + $b;\n    }\n}\n",
    "test.php":
      "<?php\n\nrequire __DIR__ . '/vendor/autoload.php';\n\nassert(App\\Adder::add(1, 2) === 3);\necho Greet\\hello('ada'), \" passed\\n\";\n",
    "composer.json": `${JSON.stringify(
      {
        name: "example/adder",
        description: "Adds.",
        license: "MIT",
        require: { "example/greet": "*" },
        repositories: [{ type: "path", url: "packages/greet", options: { symlink: false } }, { packagist: false }],
        autoload: { "psr-4": { "App\\": "src/" } },
        scripts: { test: "php test.php" },
        version: "1.0.0",
      },
      null,
      2,
    )}\n`,
    "packages/greet/composer.json": `${JSON.stringify({ name: "example/greet", version: "1.0.0", autoload: { files: ["hello.php"] } }, null, 2)}\n`,
    "packages/greet/hello.php":
      '<?php\n\nnamespace Greet;\n\nfunction hello(string $name): string\n{\n    return "hello $name";\n}\n',
    ".gitignore": "vendor\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "php --version | head -1",
    "php -l src/Adder.php",
    "php -r 'echo PHP_MAJOR_VERSION, PHP_EOL;'",
    "php -r 'require \"src/Adder.php\"; echo App\\Adder::add(1, 2), PHP_EOL;'",
    "COMPOSER_ALLOW_SUPERUSER=1 composer validate --no-check-publish -n -q",
    "COMPOSER_ALLOW_SUPERUSER=1 composer install -n -q --no-progress && ls vendor",
    "php test.php",
    "COMPOSER_ALLOW_SUPERUSER=1 composer run -n test 2>/dev/null",
    "COMPOSER_ALLOW_SUPERUSER=1 composer dump-autoload -n -q -o",
    "COMPOSER_ALLOW_SUPERUSER=1 composer show -n | wc -l",
    { command: "php -r 'exit(6);'", code: 6 },
    "git status --short",
  ],
};
