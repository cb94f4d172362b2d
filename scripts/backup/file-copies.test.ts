import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { FileCopies, filesUnder } from "./file-copies.ts";

let folder: string;
let from: string;
let to: string;
let copies: FileCopies;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-copies-"));
  [from, to] = [join(folder, "from"), join(folder, "to")];
  mkdirSync(from);
  copies = new FileCopies(from, to);
});

afterEach(() => rmSync(folder, { recursive: true }));

test("copyChanged copies an old file once, and again when it has changed", () => {
  write("feed", "one", 3_600);
  expect([copies.copyChanged(), copies.copyChanged()]).toEqual([3, 0]);
  write("feed", "other", 1_800);
  expect(copies.copyChanged()).toBe(5);
  expect(readFileSync(join(to, "feed"), "utf8")).toBe("other");
});

test("copyChanged copies a fresh file again, which may have been written twice within one tick of its time", () => {
  write("feed", "one", 0);
  copies.copyChanged();
  expect(copies.copyChanged()).toBe(3);
});

test("copyChanged removes copies of files that are gone, and leaves indexes of write-ahead logs out", () => {
  for (const name of ["photo", "feed", "feed-shm", "feed-wal"]) write(name, name, 3_600);
  copies.copyChanged();
  rmSync(join(from, "photo"));
  copies.copyChanged();
  expect(filesUnder(to)).toEqual(["feed", "feed-wal"]);
});

function write(name: string, content: string, ageSeconds: number) {
  writeFileSync(join(from, name), content);
  const time = new Date(systemNow() - ageSeconds * 1000);
  utimesSync(join(from, name), time, time);
}
