import { expect, test } from "vitest";
import { type BodySender, MemoryBudget } from "./memory-budget.ts";

const TOO_MANY = expect.objectContaining({ code: 15 });
const userOf = (name: string): BodySender => ({ kind: "user", name });
const strangerAt = (name: string): BodySender => ({ kind: "stranger", name });

test("MemoryBudget gives half to users, a quarter to devices and a quarter to strangers, whatever the rest hold", () => {
  const budget = new MemoryBudget(80);
  for (const name of ["a", "b"]) {
    budget.open(userOf(name)).add(20);
    budget.open({ kind: "device", name }).add(10);
    budget.open(strangerAt(name)).add(10);
  }
  for (const kind of ["user", "device", "stranger"] as const) {
    expect(() => budget.open({ kind, name: "c" }).add(1)).toThrow(TOO_MANY);
  }
});

test("MemoryBudget gives one stranger an eighth and one account three eighths over all their bodies", () => {
  const budget = new MemoryBudget(80);
  budget.open(strangerAt("a")).add(6);
  const second = budget.open(strangerAt("a"));
  second.add(4);
  expect(() => second.add(1)).toThrow(TOO_MANY);
  budget.open(strangerAt("b")).add(10);
  budget.open(userOf("a")).add(30);
  expect(() => budget.open(userOf("a")).add(1)).toThrow(TOO_MANY);
  budget.open(userOf("b")).add(10);
});

test("MemoryBudget counts what has arrived: released bytes and bytes of an identified sender are free for strangers", () => {
  const budget = new MemoryBudget(80);
  const released = budget.open(strangerAt("a"));
  released.add(10);
  released.release();
  released.release();
  const identified = budget.open(strangerAt("a"));
  identified.add(10);
  identified.assign(userOf("a"));
  budget.open(strangerAt("a")).add(10);
  identified.add(20);
  expect(() => identified.add(1)).toThrow(TOO_MANY);
});

test("MemoryBudget frees the bytes of a call that was aborted", () => {
  let now = 0;
  const budget = new MemoryBudget(80, () => now);
  const [slow, aborted] = [budget.open(strangerAt("a")), budget.open(strangerAt("b"))];
  slow.add(9);
  aborted.add(10);
  now = 24_000;
  slow.add(1);
  now = 26_000;
  budget.open(strangerAt("c")).add(10);
  expect(() => budget.open(strangerAt("d")).add(1)).toThrow(TOO_MANY);
});

test("MemoryBudget counts a body that goes on after its bytes were freed, and frees them at its end", () => {
  let now = 0;
  const budget = new MemoryBudget(80, () => now);
  const silent = budget.open(strangerAt("a"));
  silent.add(10);
  now = 26_000;
  budget.open(strangerAt("a")).add(5);
  silent.add(5);
  expect(() => budget.open(strangerAt("a")).add(1)).toThrow(TOO_MANY);
  silent.assign(userOf("a"));
  budget.open(strangerAt("a")).add(5);
  silent.release();
  budget.open(userOf("a")).add(30);
});
