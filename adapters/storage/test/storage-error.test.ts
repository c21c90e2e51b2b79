import { AppError, type ErrorCode } from "@capstan/protocol";
import { expect, test } from "vitest";
import { type StorageActivity, toStorageError } from "../src/storage-error.ts";

function check(fields: object, activity: StorageActivity, code: ErrorCode): void {
  const cause = Object.assign(new Error("what SQLite says"), fields);
  const error = toStorageError(cause, "/data/capstan.db", activity);
  expect({ code: error.code, cause: error.cause, named: error.message.includes("/data/capstan.db") }).toEqual({
    code,
    cause,
    named: true,
  });
  expect(error.hint).toMatch(/\.$/u);
}

test("every error of SQLite and of the file system has its code, its cause and the file's name", () => {
  check({ errcode: 5 }, "write", "session.busy");
  check({ errcode: 517 }, "write", "session.busy");
  check({ errcode: 6 }, "write", "session.busy");
  check({ errcode: 13 }, "write", "storage.full");
  check({ errcode: 778, systemErrno: 122 }, "write", "storage.full");
  check({ code: "ENOSPC" }, "open", "storage.full");
  check({ errcode: 11 }, "read", "storage.corrupt");
  check({ errcode: 267 }, "read", "storage.corrupt");
  check({ errcode: 26 }, "open", "storage.corrupt");
  check({ errcode: 14 }, "open", "storage.unavailable");
  check({ errcode: 8 }, "open", "storage.unavailable");
  check({ code: "EACCES" }, "open", "storage.unavailable");
  check({ code: "EROFS" }, "open", "storage.unavailable");
  check({ errcode: 14 }, "write", "storage.failed");
  check({ errcode: 8 }, "write", "storage.failed");
  check({ errcode: 1034 }, "write", "storage.failed");
  check({ errcode: 266 }, "open", "storage.failed");
  check({}, "write", "storage.failed");
});

test("an error without a number is known by SQLite's words", () => {
  expect(codeOf("database disk image is malformed")).toBe("storage.corrupt");
  expect(codeOf("database is locked")).toBe("session.busy");
  expect(codeOf("disk I/O error")).toBe("storage.failed");
});

test("an error that has its code already stays as it is", () => {
  const error = new AppError("storage.newer-version", "from the future");
  expect(toStorageError(error, "/data/capstan.db", "open")).toBe(error);
});

function codeOf(message: string): ErrorCode {
  return toStorageError(new Error(message), "/data/capstan.db", "read").code;
}
