import { expect, test } from "vitest";
import { clockOf, isZone, nowMs, readLocal, systemNow, writeIso, writeLocal } from "./clock.ts";
import { HOUR_MS } from "./duration.ts";

const BERLIN = "Europe/Berlin";

test("readLocal moves a time in the hour that spring skips forward", () => {
  expect(writeLocal(readLocal("2026-03-29 02:30:00", BERLIN) ?? 0, BERLIN)).toBe("2026-03-29 03:30:00");
});

test("readLocal takes a time in the hour that autumn repeats for the earlier instant", () => {
  expect(readLocal("2026-10-25 02:30:00", BERLIN)).toBe(Date.parse("2026-10-25T00:30:00Z"));
});

test("writeLocal writes both instants of the repeated hour alike, and writeIso tells them apart", () => {
  const [earlier, later] = [Date.parse("2026-10-25T00:30:00Z"), Date.parse("2026-10-25T01:30:00Z")];
  expect(writeLocal(earlier, BERLIN)).toBe(writeLocal(later, BERLIN));
  expect(writeIso(earlier, BERLIN)).toBe("2026-10-25T02:30:00+02:00");
  expect(writeIso(later, BERLIN)).toBe("2026-10-25T02:30:00+01:00");
});

test.each(["America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", BERLIN, "UTC"])(
  "readLocal in %s reads what writeLocal wrote, at hours through a year",
  (zone) => {
    for (let hour = 0; hour < 366 * 24; hour += 7) {
      const ms = Date.UTC(2025, 0, 1) + hour * HOUR_MS;
      const back = readLocal(writeLocal(ms, zone), zone) ?? 0;
      expect(writeLocal(back, zone)).toBe(writeLocal(ms, zone));
      expect(ms - back).toBeGreaterThanOrEqual(0);
      expect(clockOf({}, zone, true).read(writeIso(ms, zone))).toBe(ms);
    }
  },
);

test.each(["2026-02-30 00:00:00", "2026-01-01 24:00:00", "2026-01-01T00:00:00", "2026-1-1 0:0:0", "", "2026-01-01"])(
  "readLocal refuses %j",
  (text) => expect(readLocal(text, BERLIN)).toBeUndefined(),
);

test("a clock in ISO 8601 mode reads times with an offset or Z alone", () => {
  const { read } = clockOf({}, BERLIN, true);
  expect(read("2024-07-09T07:50:58+05:00")).toBe(Date.parse("2024-07-09T02:50:58Z"));
  expect(read("2024-07-09T07:50:58.25Z")).toBe(Date.parse("2024-07-09T07:50:58.250Z"));
  expect(read("2024-07-09T07:50:58")).toBeUndefined();
  expect(read("2024-02-30T07:50:58Z")).toBeUndefined();
  expect(read("2024-07-09 07:50:58")).toBeUndefined();
});

test("writeIso writes UTC with Z, and a zone that happens to be at zero with its offset", () => {
  expect(writeIso(0, "UTC")).toBe("1970-01-01T00:00:00Z");
  expect(writeIso(Date.UTC(2026, 0, 1), "Europe/London")).toBe("2026-01-01T00:00:00+00:00");
});

test("isZone knows the names of time zones", () => {
  expect(["Europe/Berlin", "UTC", "Etc/GMT+5"].map(isZone)).toEqual([true, true, true]);
  expect(["Europe/Atlantis", "", "+23:59", "-05:00"].map(isZone)).toEqual([false, false, false, false]);
});

test("nowMs refuses a moved clock where the Worker is deployed", () => {
  const readDeployed = () => nowMs({ CLOCK_OFFSET_SECONDS: "60" });
  expect(readDeployed).toThrow("local runs only");
});

test("nowMs is the machine's clock moved by CLOCK_OFFSET_SECONDS", () => {
  const before = systemNow();
  const moved = nowMs({ CLOCK_OFFSET_SECONDS: "60", LOCAL_RUN: "1" });
  const after = systemNow();
  expect(moved).toBeGreaterThanOrEqual(before + 60_000);
  expect(moved).toBeLessThanOrEqual(after + 60_000);
});
