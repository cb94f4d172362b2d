import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { countHops, hop } from "./hops.ts";
import { withCountedLinks } from "./links.ts";

const away = () => hop(() => pause(5));

test("what is waited for one after the other counts each time, what goes side by side once", async () => {
  const { found, hops } = await countHops(async () => {
    await away();
    await Promise.all([away(), away().then(away)]);
    await Promise.all([away(), Promise.resolve(1)]);
    return "found";
  });
  // The middle one is two long.
  expect([found, hops]).toEqual(["found", 4]);
});

test("calls at the same time are counted apart, and what belongs to none is not counted", async () => {
  const twice = countHops(async () => {
    await away();
    await away();
  });
  const [two, one] = await Promise.all([twice, countHops(away), away()]);
  expect([two.hops, one.hops]).toEqual([2, 1]);
});

test("a hop that fails is one, and ends", async () => {
  const { hops } = await countHops(async () => {
    await hop(() => Promise.reject(new Error("down"))).catch(() => undefined);
    await away();
  });
  expect(hops).toBe(2);
});

test("calls of other Workers and of Durable Objects are hops; other bindings stay as they are", async () => {
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
  const { found, hops } = await countHops(async () => {
    const stub = await (async () => links.OBJECTS.getByName("one"))();
    return [await links.OTHER.tell("me"), await stub.ask(), await links.BUCKET.get()];
  });
  expect([found, hops]).toEqual([["told me", "one", null], 2]);
});
