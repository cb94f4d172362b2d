import { expect, test } from "vitest";
import { BEGIN, circle, evaluateRules, pointAt, ruleOf } from "../../../../../test/tool/point/rules.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { WatchedRule } from "../../object/watched-rule.ts";
import { toHistoryEvent } from "./history-event.ts";

const TRACKER = { account_id: 1, tracker_id: 2 };
const ALERTS = { push_enabled: true, emails: ["ops@example.com"], emergency: false };

test("an event of a rule limited by zones names those in which it happened, and in its message when the rule asks for it", () => {
  const zones = [circle(50, 8, 1000, 5), circle(50, 8.001, 1000, 3), circle(51, 8, 1000, 4)];
  const speedup = { type: "speedup", param: 80, isZoned: true } as const;
  const [event] = madeOf({ ...speedup, extended: { append_zone_title: true } }, zones);
  expect(event).toMatchObject({ message: "Fast (Zone 3, Zone 5)", extra: { zone_ids: [3, 5] } });
  const [plain] = madeOf({ ...speedup, extended: { append_zone_title: null } }, zones);
  expect(plain).toMatchObject({ message: "Fast", extra: { zone_labels: ["Zone 3", "Zone 5"] } });
  const inverted = { append_zone_title: true, zone_limit_inverted: true };
  const [outside] = madeOf({ ...speedup, extended: inverted }, zones.slice(2));
  expect(outside).toMatchObject({ message: "Fast" });
  expect(outside?.extra).not.toHaveProperty("zone_ids");
});

test("an alarm of a group uses its own channels, as far as the rule has them", () => {
  const alarm = (given: object) => ({
    type: "autocontrol" as const,
    extended: { ignition: { enabled: true, ...given } },
  });
  const channelsOf = (given: object, alerts = ALERTS) =>
    madeOf(alarm(given), [], alerts).map(({ is_silent = false, emails = [] }) => [!is_silent, emails.length]);
  expect(channelsOf({ push: true, email: true })).toEqual([[true, 1]]);
  expect(channelsOf({ push: true })).toEqual([[true, 0]]);
  expect(channelsOf({ email: true })).toEqual([[false, 1]]);
  expect(channelsOf({})).toEqual([[false, 0]]);
  expect(channelsOf({ push: true, email: true }, { ...ALERTS, push_enabled: false, emails: [] })).toEqual([[false, 0]]);
});

function madeOf(given: Partial<WatchedRule> & Pick<WatchedRule, "type">, zones = [circle(50, 8, 1)], alerts = ALERTS) {
  const rule: CopiedRule = { ...ruleOf(given), primary_text: "Fast", secondary_text: "", alerts, private_to: null };
  const attributes = { event: "ignition" };
  const points = [pointAt(0, 50, 8, { speed: 50 }), pointAt(10, 50, 8.0005, { speed: 100, attributes })];
  const findings = evaluateRules([rule], points, zones);
  expect(findings.map(({ time }) => time)).toEqual([BEGIN + 10_000]);
  return findings.map((one) => toHistoryEvent(one, rule, TRACKER, 0));
}
