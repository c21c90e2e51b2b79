import { programName } from "../nested-commands/started-by.ts";
import { shells } from "../nested-commands/wrapper-table.ts";

/** Where a command takes what it runs from. */
export interface ScriptName {
  /** As written, relative to the directory the command runs in. */
  readonly path: string;
  /** Also looked for in the folders above, as the tool does. */
  readonly upwards: boolean;
}

/** Files that a command runs, or takes its tasks from, as far as its words show; whether they exist is for the caller. */
export function scriptNames(words: readonly string[]): readonly ScriptName[] {
  const [program = "", ...args] = words;
  const name = programName(program);
  const own = program.includes("/") ? [here(program)] : [];
  if (name === "." || name === "source") return [...own, ...args.slice(0, 1).map(here)];
  if (shells.has(name))
    return [...own, ...interpreted(args, { valued: "oO", scripts: "--init-file --rcfile" }, /^-[a-zA-Z]*c/)];
  const interpreter = interpreters.find(({ names }) => names.test(name));
  if (interpreter !== undefined) return [...own, ...interpreted(args, interpreter, interpreter.inline)];
  return [...own, ...taskFiles(name, args)];
}

interface Interpreter {
  /** One-letter options that take the next word. */
  readonly valued: string;
  /** Options whose value is a file that is run, too. */
  readonly scripts: string;
  /** Words before the script. */
  readonly verbs?: readonly string[];
  /** Endings it also tries. */
  readonly endings?: readonly string[];
}

const interpreters: readonly (Interpreter & { readonly names: RegExp; readonly inline: RegExp })[] = [
  { names: /^(?:python|pypy)[0-9.]*$/, valued: "WXQ", scripts: "", inline: /^-[a-zA-Z]*c/ },
  {
    names: /^(?:node|nodejs|tsx|ts-node|electron|deno|bun)$/,
    valued: "rC",
    scripts: "-r --require --import --loader --experimental-loader --preload",
    inline: /^(?:-[a-zA-Z]*[ep][a-zA-Z]*|--eval|--print)$/,
    verbs: ["run", "test", "watch"],
    endings: [".js", ".mjs", ".cjs", ".ts"],
  },
  { names: /^perl[0-9.]*$/, valued: "", scripts: "", inline: /^-[a-zA-Z]*[eE]/ },
  { names: /^(?:ruby|jruby)[0-9.]*$/, valued: "IrCE", scripts: "-r", inline: /^-[a-zA-Z]*e/ },
  { names: /^php[0-9.]*$/, valued: "cdz", scripts: "-f --file", inline: /^-(?:r|-run)$/ },
  { names: /^(?:lua|luajit|tclsh|wish|expect|rscript|julia|guile|osascript|ghc|runghc|scala|groovy|kotlin|swift|elixir|escript|pwsh)[0-9.]*$/, valued: "lie", scripts: "-l", inline: /^-e$/ },
  { names: /^(?:[gmn]?awk|g?sed)$/, valued: "Fv", scripts: "-f --file", inline: /^[^-]/ },
  { names: /^(?:go)$/, valued: "", scripts: "", inline: /^$/, verbs: ["run"] },
]; // prettier-ignore

/** The script an interpreter is given, and files that options name; a module by `-m` as the places it is looked for. */
function interpreted(args: readonly string[], interpreter: Interpreter, inline: RegExp): readonly ScriptName[] {
  const found: ScriptName[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    const next = args[index + 1] ?? "";
    const option = scriptOption(word, next, interpreter);
    if (option !== undefined) {
      found.push(here(option.value));
      index += option.taken;
    } else if (word === "-m") {
      return [...found, ...moduleFiles(next)];
    } else if (inline.test(word)) {
      return found;
    } else if (word.startsWith("-") && word !== "-") {
      index += takesNext(word, interpreter) ? 1 : 0;
    } else if (interpreter.verbs?.includes(word) !== true) {
      return [...found, ...["", ...(interpreter.endings ?? [])].map((ending) => here(word + ending))];
    }
  }
  return found;
}

/** An option whose value is a file that is run; `taken`: words its value takes up. */
function scriptOption(
  word: string,
  next: string,
  { scripts }: Interpreter,
): { readonly value: string; readonly taken: number } | undefined {
  const [name = "", value] = word.startsWith("--") ? word.split(/=(.*)/s) : [word];
  if (name === "" || !scripts.split(" ").includes(name)) return undefined;
  return value === undefined ? { value: next, taken: 1 } : { value, taken: 0 };
}

function takesNext(word: string, { valued }: Interpreter): boolean {
  return !word.startsWith("--") && valued.includes(word.at(-1) ?? " ");
}

function moduleFiles(module: string): readonly ScriptName[] {
  const path = module.replaceAll(".", "/");
  return path === "" ? [] : [here(`${path}.py`), here(`${path}/__main__.py`), here(`${path}/__init__.py`)];
}

/** Tools that run what a file of the project says. */
const taskFilesOf: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|pnpm|yarn|bun|npx|pnpx|bunx)$/, "package.json"],
  [/^(?:make|gmake)$/, "GNUmakefile makefile Makefile"],
  [/^just$/, "justfile .justfile Justfile"],
  [/^(?:task|go-task)$/, "Taskfile.yml Taskfile.yaml"],
  [/^rake$/, "Rakefile rakefile"],
  [/^(?:bundle|bundler)$/, "Gemfile"],
  [/^(?:gradle|gradlew)$/, "build.gradle build.gradle.kts settings.gradle settings.gradle.kts"],
  [/^(?:mvn|mvnw)$/, "pom.xml"],
  [/^ant$/, "build.xml"],
  [/^cargo$/, "Cargo.toml build.rs"],
  [/^go$/, "go.mod"],
  [/^(?:cmake|ctest)$/, "CMakeLists.txt"],
  [/^(?:pytest|py\.test|tox|nox|poetry|pdm|hatch|uv|pip|pip3)$/, "pyproject.toml tox.ini noxfile.py conftest.py pytest.ini setup.cfg setup.py"],
  [/^composer$/, "composer.json"],
  [/^(?:docker-compose|docker|podman)$/, "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile"],
  [/^(?:meson|ninja)$/, "meson.build build.ninja"],
  [/^(?:vagrant)$/, "Vagrantfile"],
  [/^(?:pre-commit)$/, ".pre-commit-config.yaml"],
]; // prettier-ignore

function taskFiles(name: string, args: readonly string[]): readonly ScriptName[] {
  const files = taskFilesOf.find(([programs]) => programs.test(name))?.[1].split(" ") ?? [];
  if (files.length === 0) return [];
  const chosen = valuesAfter(args, /^(?:-f|--file|--makefile|--justfile|--manifest-path)$/).map(here);
  const folders = [
    "",
    ...valuesAfter(args, /^(?:-C|--directory|--prefix|--cwd|--dir|-s|-S)$/).map((folder) => `${folder}/`),
  ];
  return [...chosen, ...folders.flatMap((folder) => files.map((file) => ({ path: folder + file, upwards: true })))];
}

function valuesAfter(args: readonly string[], option: RegExp): readonly string[] {
  return args.flatMap((word, index) => {
    const [name = "", value] = word.split(/=(.*)/s);
    const found = option.test(name) ? (value ?? args[index + 1]) : joinedValue(word);
    return found === undefined || found === "" ? [] : [found];
  });

  function joinedValue(word: string): string | undefined {
    return /^-[fC][^-]/.test(word) && option.test(word.slice(0, 2)) ? word.slice(2) : undefined;
  }
}

function here(path: string): ScriptName {
  return { path, upwards: false };
}
