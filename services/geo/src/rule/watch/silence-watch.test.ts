import { expect, test } from "vitest";
import type { NewEvent } from "#shared/contract/event/event.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { ruleOf } from "../../../../../test/tool/point/rules.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { Alarm } from "../../object/alarm.ts";
import type { RuleEvents } from "./rule-events.ts";
import { SilenceWatch } from "./silence-watch.ts";

const TRACKER = { account_id: 1, tracker_id: 2 };
const START = Date.UTC(2026, 6, 6, 8);

test("a silent device gives one offline event, the rule's minutes after it counts as offline, and one when it is back", () => {
  const { silence, sent, rules } = newSilence(5);
  silence.noteHeard(rules, TRACKER, at(0), sent.events);
  silence.check(rules, TRACKER, at(14), at(0), sent.events);
  expect(sent.list).toEqual([]);
  silence.check(rules, TRACKER, at(15), at(0), sent.events);
  silence.check(rules, TRACKER, at(30), at(0), sent.events);
  silence.noteHeard(rules, TRACKER, at(40), sent.events);
  silence.noteHeard(rules, TRACKER, at(41), sent.events);
  expect(sent.list).toEqual([
    ["offline", 15],
    ["online", 40],
  ]);
});

test("a device that was heard meanwhile is not silent, also when only the state knows it", () => {
  const { silence, sent, rules } = newSilence(0);
  silence.noteHeard(rules, TRACKER, at(0), sent.events);
  silence.check(rules, TRACKER, at(10), at(0.5), sent.events);
  expect(sent.list).toEqual([]);
  silence.check(rules, TRACKER, at(10.5), at(0.5), sent.events);
  expect(sent.list).toEqual([["offline", 10.5]]);
});

test("a silent device gives no event without a rule", () => {
  const { silence, sent } = newSilence(0);
  silence.noteHeard([], TRACKER, at(0), sent.events);
  silence.check([], TRACKER, at(100), at(0), sent.events);
  expect(sent.list).toEqual([]);
});

function newSilence(param: number) {
  const values = new Map<string, unknown>();
  const list: [string, number][] = [];
  const add = (_: number, { event, time }: NewEvent) => list.push([event, (time - START) / MINUTE_MS]);
  // The members of the storage, the alarm and the events that SilenceWatch uses.
  const kv = {
    get: (key: string) => values.get(key),
    put: values.set.bind(values),
    delete: values.delete.bind(values),
  };
  const alarm = { schedule() {}, cancel() {} } as unknown as Alarm;
  const silence = new SilenceWatch(kv as unknown as SyncKvStorage, alarm);
  const alerts = { push_enabled: false, emails: [], emergency: false };
  const texts = { primary_text: "Off", secondary_text: "On", private_to: null };
  const rules: CopiedRule[] = [{ ...ruleOf({ type: "offline", param }), ...texts, alerts }];
  return { silence, sent: { list, events: { add } as unknown as RuleEvents }, rules };
}

function at(minutes: number) {
  return START + minutes * MINUTE_MS;
}
