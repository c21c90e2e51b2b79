import type { Everyday } from "./everyday-command.ts";

export const everydayC: Everyday = {
  name: "C and make",
  needs: ["gcc", "make", "git"],
  files: {
    "add.h": "int add(int a, int b);\n",
    "add.c": '#include "add.h"\n\nint add(int a, int b) { return a + b; }\n',
    "main.c": '#include <stdio.h>\n#include "add.h"\n\nint main(void) { printf("%d\\n", add(1, 2)); return 0; }\n',
    "test.c": '#include <assert.h>\n#include "add.h"\n\nint main(void) { assert(add(1, 2) == 3); return 0; }\n',
    Makefile:
      "CFLAGS = -O1 -Wall\n\nbuild/main: build/add.o build/main.o\n\t$(CC) -o $@ $^\n\nbuild/%.o: %.c add.h\n\t@mkdir -p build\n\t$(CC) $(CFLAGS) -c -o $@ $<\n\ntest: build/add.o\n\t$(CC) -o build/test test.c build/add.o && build/test && echo passed\n\nclean:\n\trm -rf build\n\n.PHONY: test clean\n",
    ".gitignore": "build\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "gcc --version | head -1",
    "make -n",
    "make",
    "make",
    "build/main",
    "make test",
    "make -j4 -B",
    { command: "make missing", code: 2 },
    "gcc -fsyntax-only -Wall -Wextra main.c",
    "gcc -shared -fPIC -o $TMPDIR/libadd.so add.c && nm -D $TMPDIR/libadd.so | grep -c ' add'",
    "ar rcs $TMPDIR/libadd.a build/add.o && ar t $TMPDIR/libadd.a",
    "gcc -g -o $TMPDIR/main main.c add.c && $TMPDIR/main",
    {
      command: "gcc -fsanitize=address -o $TMPDIR/main main.c add.c && ASAN_OPTIONS=detect_leaks=0 $TMPDIR/main",
      differs:
        "AddressSanitizer reserves 14 TiB, which the limit on memory counts: `sandbox.max_memory_mb = 16777216` in your own configuration.",
    },
    "size build/add.o | wc -l",
    "make clean && git status --short",
  ],
};
