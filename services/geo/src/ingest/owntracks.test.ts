import { expect, test } from "vitest";
import { messagesFrom, post, refusalOf, samples } from "../../../../test/tool/call/ingest-request.ts";

const location = { _type: "location", tid: "AB", lat: 46.5, lon: 11.25, tst: 1_750_000_000 };

async function only(path: string, init: RequestInit) {
  const messages = await messagesFrom(`owntracks${path}`, init);
  expect(messages).toHaveLength(1);
  return { ...messages[0], point: messages[0]?.points[0] };
}

test("ingest/owntracks takes all values of the senders' samples", async () => {
  const [still, moving, topic] = samples("owntracks.jsonl").map(({ body }) => post(body));
  const first = await only("", still ?? {});
  expect(first.device_id).toBe("5t");
  expect(first.point).toMatchObject({
    ...{ time: 1_551_874_878_000, lat: 46.0681247, lng: 11.1512805 },
    ...{ alt: 440, precision: 15, speed: 0, heading: null },
  });
  expect(first.facts).toEqual({ time: 1_551_874_878_000, battery_level: 46, event: "u" });
  expect((await only("", moving ?? {})).point).toMatchObject({ speed: 61, heading: 271, alt: 167 });
  expect((await only("", topic ?? {})).device_id).toBe("22A67880-15C3-41A6-9157-25545C7993AC");
});

test("ingest/owntracks names the device by query, header, topic and tid, in this order", async () => {
  const { tid: _, ...nameless } = location;
  const topic = "owntracks/ann/phone";
  const header = { "X-Limit-D": "header" };
  expect((await only("?id=query", post({ ...location, topic }, header))).device_id).toBe("query");
  expect((await only("?id=", post({ ...location, topic }, header))).device_id).toBe("header");
  expect((await only("", post({ ...location, topic }))).device_id).toBe("phone");
  expect((await only("", post({ ...location, topic: "owntracks/" }))).device_id).toBe("AB");
  expect((await only("", post({ ...location, topic: 5 }))).device_id).toBe("AB");
  expect(await refusalOf("owntracks", post(nameless))).toBe("7 id");
});

test("ingest/owntracks takes negative measurements as unknown, and charging from the battery's status", async () => {
  const { point, facts } = await only("", post({ ...location, vel: -1, cog: -1, acc: -1, batt: -1, bs: 2 }));
  expect(point).toMatchObject({ speed: null, heading: null, precision: null });
  expect(facts).toEqual({ time: 1_750_000_000_000, charging: true });
  expect((await only("", post({ ...location, bs: 1 }))).facts).toMatchObject({ charging: false });
  expect((await only("", post({ ...location, bs: 0 }))).facts).not.toHaveProperty("charging");
});

test("ingest/owntracks takes nothing from other types and an empty body, and does not fail", async () => {
  for (const _type of ["transition", "waypoint", "lwt", "status", "encrypted", "toString"]) {
    expect(await messagesFrom("owntracks", post({ _type }))).toEqual([]);
  }
  expect(await messagesFrom("owntracks", { method: "POST" })).toEqual([]);
  expect(await messagesFrom("owntracks", post(" \n"))).toEqual([]);
});

test("ingest/owntracks corrects a time that is counted from 2001", async () => {
  const recent = Date.parse("2025-06-20T00:00:00Z");
  const tst = (recent - Date.UTC(2001, 0, 1)) / 1000;
  expect((await only("", post({ ...location, tst }))).point?.time).toBe(recent);
});

test.each<[unknown, string]>([
  [[location], "5"],
  [5, "5"],
  [null, "5"],
  [{}, "7 _type"],
  [{ ...location, _type: 5 }, "7 _type"],
  [{ ...location, tst: undefined }, "7 tst"],
  [{ ...location, tst: 946_684_799 }, "7 tst"],
  [{ ...location, lat: undefined }, "7 lat"],
  [{ ...location, lat: 91 }, "7 lat"],
  [{ ...location, lon: null }, "7 lon"],
  [{ ...location, vel: "x" }, "7 vel"],
  [{ ...location, cog: 361 }, "7 cog"],
  [{ ...location, alt: {} }, "7 alt"],
  [{ ...location, acc: true }, "7 acc"],
  [{ ...location, batt: 101 }, "7 batt"],
  [{ ...location, t: 5 }, "7 t"],
  [{ ...location, t: "\ud800" }, "7 t"],
  [{ ...location, batt: 100, cog: 360, lat: -90, lon: 180 }, "accepted"],
])("ingest/owntracks answers %j with %s", async (body, refusal) => {
  expect(await refusalOf("owntracks", post(JSON.stringify(body)))).toBe(refusal);
});
