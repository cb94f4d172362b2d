import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "../../clients/typescript/src/index.ts";
import { explain } from "../../console/src/component/explain-refusal.ts";
import { noteServerTime, serverNow } from "../../console/src/session/clock.ts";
import { loadTexts } from "../../console/src/text/load-texts.ts";

afterEach(() => {
  vi.useRealTimers();
});

function refusalOf(code: number, status = 400) {
  const body = { success: false, status: { code, description: "" } };
  return new ApiError("/rule/list", new Response(null, { status }), body);
}

test.each(["en", "de"] as const)("refusals have a message for each kind, in %s", async (language) => {
  const texts = await loadTexts(language);
  const { refusal } = texts;
  const titleOf = (code: number, status?: number) => explain(refusalOf(code, status), texts).title;
  expect([11, 13, 208, 276].map((code) => titleOf(code))).toEqual(Array(4).fill(refusal.right.title));
  expect(titleOf(236)).toBe(refusal.feature.title);
  expect([201, 204, 217].map((code) => titleOf(code))).toEqual(Array(3).fill(refusal.missing.title));
  expect([3, 4].map((code) => titleOf(code))).toEqual(Array(2).fill(refusal.ended.title));
  expect([6, 14].map((code) => titleOf(code, 503))).toEqual(Array(2).fill(refusal.unreachable.title));
  expect(explain(new TypeError("fetch failed"), texts)).toMatchObject({ ...refusal.unreachable, mayRetry: true });
  expect(explain(refusalOf(299), texts)).toMatchObject({ title: refusal.title, text: refusal.other(299) });
  const { right, feature, missing, ended, unreachable, quota, rate, invalid, demo, title } = refusal;
  const titles = [
    ...[right, feature, missing, ended, unreachable, quota, rate, invalid, demo].map((one) => one.title),
    title,
  ];
  expect(new Set(titles).size).toBe(titles.length);
});

test("the console's clock is that of the server on a device whose clock is an hour wrong, until that clock is set", () => {
  const now = Date.parse("2026-05-02T08:00:00Z");
  const answer = (time: number) => new Response(null, { headers: { Date: new Date(time).toUTCString() } });
  vi.useFakeTimers({ now });
  for (const wrongMs of [-3_600_000, 3_600_000]) {
    vi.setSystemTime(now + wrongMs);
    noteServerTime(answer(now));
    expect(serverNow()).toBe(now);
    noteServerTime(new Response(null));
    expect(serverNow()).toBe(now);
  }
  vi.setSystemTime(now + 60_000);
  noteServerTime(answer(now + 59_000));
  expect(serverNow()).toBe(now + 60_000);
});
