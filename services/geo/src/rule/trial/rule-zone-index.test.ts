import { expect, test } from "vitest";
import { chanceOf } from "../../../../../test/tool/chance.ts";
import { circle } from "../../../../../test/tool/point/rules.ts";
import { boxOf } from "../../zone/grid/box.ts";
import { doBoxesOverlap, isInBox } from "../../zone/squares.ts";
import { RuleZoneIndex } from "./rule-zone-index.ts";

test.each([
  ["over the date line", 180, 0.3],
  ["far from it", 11, 0.3],
  ["all over the earth", 0, 360],
])(
  "RuleZoneIndex finds zones %s by their squares like a comparison with all of them, wide ones too",
  (_, middle, width) => {
    const chance = chanceOf(5);
    const eastOf = (lng: number) => (lng > 180 ? lng - 360 : lng);
    const place = () => ({ lat: (chance() - 0.5) * 0.3, lng: eastOf(middle + (chance() - 0.5) * width) });
    const zones = Array.from({ length: 200 }, (_, index) => {
      const { lat, lng } = place();
      return { ...circle(lat, lng, index % 20 === 0 ? 30_000 : 300, index + 1), holes: null };
    });
    const found = new RuleZoneIndex(zones);
    const ids = (list: { id: number }[]) => list.map(({ id }) => id);
    for (let count = 0; count < 300; count++) {
      const [from, to] = [place(), place()];
      const near = { lat: from.lat + (chance() - 0.5) / 100, lng: eastOf(from.lng + chance() / 100) };
      expect(ids(found.zonesAt(from))).toEqual(ids(zones.filter(({ reach }) => isInBox(reach, from))));
      for (const end of [to, near]) {
        const box = boxOf([from, end]);
        expect(ids(found.zonesAlong(from, end))).toEqual(ids(zones.filter(({ reach }) => doBoxesOverlap(reach, box))));
      }
    }
  },
);
