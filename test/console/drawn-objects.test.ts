import { beforeEach, describe, expect, test } from "vitest";
import { type LiveState, LiveStates } from "../../console/src/live/live-states.ts";
import { toObjects } from "../../console/src/live/objects.ts";
import { DrawnObjects } from "../../console/src/map/drawn-objects.ts";
import { stateOf, trackerOf } from "../tool/console/live-fleet.ts";

const COUNTRY_ZOOM = 5;
const STREET_ZOOM = 16;
const [van] = toObjects([trackerOf(1, "Van 1")], { groups: new Map(), tags: new Map() }, "en");
if (!van) throw new Error("There is one object.");
const object = van;

describe("DrawnObjects", () => {
  let states: LiveStates;
  let drawn: DrawnObjects;
  const looksTheSame = (zoom: number) => drawn.looksTheSame(object, states, zoom);
  beforeEach(() => {
    states = new LiveStates(() => undefined);
    drawn = new DrawnObjects();
    change({});
    const geometry = { type: "Point" as const, coordinates: [11, 48] };
    drawn.replace([{ type: "Feature", id: object.id, geometry, properties: { status: "moving", heading: 10 } }]);
  });

  test("a drawn object looks the same until it has moved by half a pixel, which a closer map shows sooner", () => {
    change({ location: { lat: 48.001, lng: 11.001 } });
    expect([looksTheSame(COUNTRY_ZOOM), looksTheSame(STREET_ZOOM)]).toEqual([true, false]);
    change({ location: { lat: 48, lng: 11.1 } });
    expect(looksTheSame(COUNTRY_ZOOM)).toBe(false);
  });

  test("a drawn object looks different with another status or heading, and without a position", () => {
    change({ heading: 12 });
    expect(looksTheSame(STREET_ZOOM)).toBe(true);
    change({ heading: 90 });
    expect(looksTheSame(COUNTRY_ZOOM)).toBe(false);
    change({}, { movement_status: "parked" });
    expect(looksTheSame(COUNTRY_ZOOM)).toBe(false);
    change({ updated: null });
    expect(looksTheSame(COUNTRY_ZOOM)).toBe(false);
  });

  test("a drawn object that was left as it was is outdated once, and a removed one is forgotten", () => {
    change({ heading: 12 });
    looksTheSame(COUNTRY_ZOOM);
    expect([...drawn.takeOutdated()]).toEqual([object.sourceId]);
    expect([...drawn.takeOutdated()]).toEqual([]);
    expect([drawn.remove(object.id), drawn.remove(object.id)]).toEqual([true, false]);
    expect(looksTheSame(COUNTRY_ZOOM)).toBe(false);
  });

  function change(gps: Partial<LiveState["gps"]>, more: Partial<LiveState> = {}) {
    const state = stateOf(object.sourceId, more);
    states.apply([{ ...state, gps: { ...state.gps, ...gps } }]);
  }
});
