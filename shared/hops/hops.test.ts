import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { countHops, hop, servedRequestId } from "./hops.ts";
import { withCountedLinks } from "./links.ts";
import { takeRequestId } from "./request-id.ts";

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

test("withCountedLinks gives methods of Workers the request id behind all their parameters, also behind left out ones", async () => {
  const received: unknown[][] = [];
  class Fetcher {
    async list(...given: unknown[]) {
      received.push(given);
      const [account, limit = 10] = given;
      return [account, limit];
    }
    async fetch(...given: unknown[]) {
      return given.length;
    }
  }
  const { OTHER } = withCountedLinks({ OTHER: new Fetcher() });
  const { result } = await countHops(async () => [await OTHER.list(7), await OTHER.fetch("a request")], "order-4711");
  // `list` stands for a method of an older release, which does not know the id.
  expect(result).toEqual([[7, 10], 1]);
  const [given = []] = received;
  expect(takeRequestId(given)).toBe("order-4711");
  expect(given.filter((one) => one !== undefined)).toEqual([7]);
});

test("withCountedLinks gives no request id to crons and to work that goes on after the answer", async () => {
  class Fetcher {
    async count(...given: unknown[]) {
      return given.length;
    }
  }
  const { OTHER } = withCountedLinks({ OTHER: new Fetcher() });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { result } = await countHops(async () => ({ late: answered.then(() => OTHER.count(1)) }), "order-4711");
  expect(servedRequestId()).toBeUndefined();
  answer();
  expect([await result.late, await OTHER.count(1)]).toEqual([1, 1]);
});
