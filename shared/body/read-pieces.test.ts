import { expect, test } from "vitest";
import { discardBody, readPieces } from "./read-pieces.ts";

/** A body of `count` pieces of ten bytes. */
function bodyOf(count: number) {
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (sent++ < count) controller.enqueue(new Uint8Array(10).fill(sent));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { body, isCancelled: () => isCancelled };
}

/** The first byte of each piece. */
async function bytesOf(pieces: AsyncIterable<Uint8Array>) {
  const bytes: number[] = [];
  for await (const [byte = 0] of pieces) bytes.push(byte);
  return bytes;
}

test("readPieces reads a body up to its limit, and no body as no pieces", async () => {
  expect(await bytesOf(readPieces(bodyOf(3).body, { maxBytes: 30 }))).toEqual([1, 2, 3]);
  expect(await bytesOf(readPieces(null, { maxBytes: 0 }))).toEqual([]);
});

test("readPieces throws above its limit and leaves the rest to be discarded", async () => {
  const { body, isCancelled } = bodyOf(5);
  const read: number[] = [];
  const reading = async () => {
    for await (const [byte = 0] of readPieces(body, { maxBytes: 20, tooLong: 271 })) read.push(byte);
  };
  await expect(reading()).rejects.toMatchObject({ code: 271 });
  expect(read).toEqual([1, 2]);
  await discardBody(body, 20);
  expect(isCancelled()).toBe(false);
  expect(await bytesOf(readPieces(body, { maxBytes: 0 }))).toEqual([]);
});

test("discardBody cancels a body above its limit", async () => {
  const { body, isCancelled } = bodyOf(5);
  await discardBody(body, 40);
  expect(isCancelled()).toBe(true);
});

test("readPieces gives up a body that brings less than a kilobyte a second over thirty seconds, and none that is faster", async () => {
  const limits = { maxBytes: 1_000_000, minBytesPerSecond: 1024 };
  for (const [bytesPerRead, reads] of [
    [10 * 1024, 20],
    [10 * 1024 - 1, 3],
  ] as const) {
    let now = 0;
    let read = 0;
    // Each read takes ten seconds: twice the clock is asked about it.
    const body = new ReadableStream({
      type: "bytes",
      pull(controller) {
        now += 10_000;
        controller.enqueue(new Uint8Array(bytesPerRead));
        if (++read === 20) controller.close();
      },
    });
    const reading = (async () => {
      for await (const _ of readPieces(body, limits, () => now));
    })();
    if (reads === 20) await reading;
    else await expect(reading).rejects.toMatchObject({ code: 5 });
    expect(read).toBe(reads);
  }
});
