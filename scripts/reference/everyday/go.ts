import type { Everyday } from "./everyday-command.ts";

export const everydayGo: Everyday = {
  name: "Go",
  needs: ["go", "git"],
  files: {
    "go.mod":
      "module example.org/adder\n\ngo 1.19\n\nrequire example.org/greet v0.0.0\n\nreplace example.org/greet => ./greet\n",
    "greet/go.mod": "module example.org/greet\n\ngo 1.19\n",
    "greet/greet.go": 'package greet\n\n// Hello greets.\nfunc Hello(name string) string { return "hello " + name }\n',
    "add.go": "package adder\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
    "add_test.go":
      'package adder\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    "cmd/adder/main.go":
      'package main\n\nimport (\n\t"fmt"\n\n\t"example.org/adder"\n\t"example.org/greet"\n)\n\nfunc main() { fmt.Println(greet.Hello("ada"), adder.Add(1, 2)) }\n',
    ".gitignore": "bin\n",
  },
  before: ["git init -q -b main && git add -A && git commit -qm first"],
  commands: [
    "go version",
    "go env GOOS GOFLAGS",
    "go build ./...",
    "go vet ./...",
    "go test ./... 2>&1 | sed 's/[0-9.]*s$//'",
    "go test -run TestAdd -v . | grep -c PASS",
    "go run ./cmd/adder",
    "go build -o bin/adder ./cmd/adder && bin/adder",
    "go list ./...",
    "go list -m all",
    "go mod tidy && git status --short",
    "go mod verify",
    "gofmt -l .",
    "go doc . Add",
    "go clean && git status --short",
    {
      command: "GOPROXY=https://proxy.golang.org go get rsc.io/quote",
      reaches: "proxy.golang.org",
      differs:
        'There is no network but hosts that you open: `sandbox.hosts = ["proxy.golang.org", "sum.golang.org"]`, or your answer to a question.',
    },
  ],
};
