import type { Everyday } from "./everyday-command.ts";

export const everydayPython: Everyday = {
  name: "Python",
  needs: ["python3", "git"],
  files: {
    "pyproject.toml":
      '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "adder"\nversion = "1.0"\n',
    "adder/__init__.py": "def add(a, b):\n    return a + b\n",
    "adder/__main__.py": "import sys\n\nfrom adder import add\n\nprint(add(int(sys.argv[1]), int(sys.argv[2])))\n",
    "tests/__init__.py": "",
    "tests/test_add.py":
      "import unittest\n\nfrom adder import add\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
    "parallel.py":
      "from multiprocessing import Pool, Queue, Process\n\n\ndef square(x):\n    return x * x\n\n\nif __name__ == '__main__':\n    with Pool(2) as pool:\n        print(pool.map(square, [1, 2, 3]))\n",
    "serve.py":
      "import threading, urllib.request\nfrom http.server import HTTPServer, SimpleHTTPRequestHandler\n\n\nclass Quiet(SimpleHTTPRequestHandler):\n    def log_message(self, *words):\n        pass\n\n\nserver = HTTPServer(('127.0.0.1', 0), Quiet)\nthreading.Thread(target=server.serve_forever, daemon=True).start()\nprint(len(urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/adder/__init__.py').read()))\nserver.shutdown()\n",
    ".gitignore": "__pycache__\n.venv\n*.egg-info\nbuild\n.pytest_cache\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "python3 --version",
    "python3 -m adder 1 2",
    "python3 -c 'import adder; print(adder.add(2, 3))'",
    "python3 -m unittest 2>&1 | tail -1",
    "python3 -m unittest discover -s tests 2>&1 | grep -c '^OK'",
    "python3 -m compileall -q adder && ls adder",
    "python3 -m py_compile adder/__init__.py",
    "python3 parallel.py",
    "python3 serve.py",
    "python3 -m venv --without-pip .venv && .venv/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'",
    'python3 -c \'import sqlite3; print(sqlite3.connect(":memory:").execute("select 1").fetchone())\'',
    "python3 -c 'import tempfile; print(len(tempfile.mkdtemp()) > 0)'",
    "python3 -c 'import os; print(os.environ.get(\"KEY\"))'",
    "python3 -c 'import asyncio; print(asyncio.run(asyncio.sleep(0, 7)))'",
    "python3 -m json.tool --compact <<< '{\"a\": 1}'",
    { command: "python3 -c 'raise SystemExit(4)'", code: 4 },
    { command: "python3 -m no_such_module", code: 1 },
    {
      command: "python3 -c 'from multiprocessing import Manager; print(list(Manager().list([1])))'",
      differs:
        "Unix sockets are refused in the sandbox, so nothing reaches those of the host. Use `Pool` or `Queue`, or run it outside (`outside_sandbox`, which asks).",
    },
    "git status --short",
  ],
};
