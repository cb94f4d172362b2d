import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import { encodePoints } from "../point/codec.ts";
import { PointBatch } from "../point/point-batch.ts";
import { LastState } from "./last-state.ts";

test("the last state from the newest points of a batch equals the one from all of them", () => {
  const chance = chanceOf(3);
  let second = 0;
  const next = () => {
    second += 1 + Math.floor(chance() * 90);
    return pointAt(second, { lat: 40 + second / 1e5, speed: chance() < 0.3 ? null : Math.round(chance() * 100) });
  };
  const [whole, newest] = [new LastState(newObjectStorage()), new LastState(newObjectStorage())];
  let plain = 0;
  for (let batch = 0; batch < 200; batch++) {
    const points = Array.from({ length: 1 + Math.floor(chance() * 60) }, next);
    const sent = PointBatch.read(encodePoints(points, "raw"));
    if (sent.isPlain) plain++;
    whole.observePoints(second, points);
    newest.observePoints(second, sent.newest);
    expect([newest.current, newest.values()]).toEqual([whole.current, whole.values()]);
  }
  expect(plain).toBeGreaterThan(50);
  expect(plain).toBeLessThan(150);
});
