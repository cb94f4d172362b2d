import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { countHops, hop } from "./hops.ts";
import { withCountedLinks } from "./links.ts";

const away = () => hop(() => nextTurn());

test("countHops counts each of several waits in sequence, and those side by side once", async () => {
  const { result, hops } = await countHops(async () => {
    await away();
    await Promise.all([away(), away().then(away)]);
    await Promise.all([away(), Promise.resolve(1)]);
    return "result";
  });
  // The middle one is two long.
  expect([result, hops]).toEqual(["result", 4]);
});

test("countHops counts calls that run at the same time apart, and no hop outside of its work", async () => {
  const twice = countHops(async () => {
    await away();
    await away();
  });
  const [two, one] = await Promise.all([twice, countHops(away), away()]);
  expect([two.hops, one.hops]).toEqual([2, 1]);
});

test("countHops counts a failed hop once, and the next wait after it as another", async () => {
  const { hops } = await countHops(async () => {
    await hop(() => Promise.reject(new Error("down"))).catch(() => undefined);
    await away();
  });
  expect(hops).toBe(2);
});

test("withCountedLinks counts calls of Workers and Durable Objects as hops, and leaves other bindings as they are", async () => {
  class Fetcher {
    #answer = "told";
    async tell(to: string) {
      return `${this.#answer} ${to}`;
    }
  }
  class DurableObjectNamespace {
    getByName(name: string) {
      return { ask: async () => name };
    }
  }
  const bucket = { get: async () => null };
  const env = { OTHER: new Fetcher(), OBJECTS: new DurableObjectNamespace(), BUCKET: bucket, NUMBER: "7" };
  const links = withCountedLinks(env);
  expect([links.BUCKET, links.NUMBER, withCountedLinks(env)]).toEqual([bucket, "7", links]);
  const { result, hops } = await countHops(async () => {
    const stub = await (async () => links.OBJECTS.getByName("one"))();
    return [await links.OTHER.tell("me"), await stub.ask(), await links.BUCKET.get()];
  });
  expect([result, hops]).toEqual([["told me", "one", null], 2]);
});
