import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { newObjectStorage } from "../../../../test/tool/system/object-storage.ts";
import { ChunkCatalogue } from "../chunk/catalogue.ts";
import { cutChunks } from "../chunk/plan.ts";
import type { GeoEnv } from "../env.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import type { PredictedState, WrittenChunk } from "../journal/prepared-chunk.ts";
import type { StoredChunks } from "../journal/stored-chunks.ts";
import { DEFAULT_TRIP_SETTINGS, tripStart } from "../object/trip.ts";
import { identitiesOf } from "../point/identities.ts";
import { comparePoints, type Identity, type Point } from "../point/point.ts";
import { Trips } from "./trips.ts";

const ENV = { TRIP_GAP_MINUTES: "30" } as GeoEnv;
const STRICT = { ...DEFAULT_TRIP_SETTINGS, idle_speed_threshold: 60 };

test("the trip state after a chunk is equal whether it was predicted or computed when the chunk is written", () => {
  const points = newDrive(5000);
  const expected = statesOf(points, () => null);
  expect(statesOf(points, (predicted) => predicted)).toEqual(expected);
  expect(new Set(expected).size).toBe(4);
  // A prediction from another state or by other rules is discarded.
  expect(statesOf(points, (predicted) => predicted && { ...predicted, from: "{}", to: "wrong" })).toEqual(expected);
  expect(statesOf(points, (predicted) => predicted && { ...predicted, rules: "{}", to: "wrong" })).toEqual(expected);
  // A prediction that holds saves the evaluation.
  const to = JSON.stringify(tripStart());
  expect(statesOf(points, (predicted) => predicted && { ...predicted, to })[0]).toBe(to);
});

test("trip settings that change while chunks are being stored discard the states by the old ones", () => {
  const points = newDrive(3000);
  const setStrict = (trips: Trips) => trips.setSettings(STRICT);
  const strict = statesOf(points, () => null, setStrict);
  expect(statesOf(points, (predicted) => predicted, setStrict)).toEqual(strict);
  expect(strict).not.toEqual(statesOf(points, () => null));
});

test("a restart finds the trips of open points again, also with late points among the stored ones to evaluate", async () => {
  const points = newDrive(3000);
  const [stored, open] = [points.slice(0, 2020), points.slice(2020)];
  const undisturbed = await tripsOf(stored, open, false);
  expect(undisturbed.filter(({ end_time }) => end_time > (stored.at(-1)?.time ?? 0))).toHaveLength(10);
  expect(await tripsOf(stored, open, true)).toEqual(undisturbed);
});

/** The trips of stored and open points; `restarts`: after a restart before trips and late points were stored. */
async function tripsOf(points: Point[], open: Point[], restarts: boolean) {
  const storage = newObjectStorage();
  const { stored, writtenAs } = chunksOf(points, storage);
  const added = writtenAs(() => null);
  const memory = new OpenPoints();
  let trips = new Trips(storage, ENV, stored, memory as unknown as PointMemory);
  memory.open = points;
  trips.noteAdded({ late: null, inOrder: points.length });
  trips.replaceChunks([], added);
  trips.store();
  memory.open = open;
  trips.noteAdded({ late: null, inOrder: open.length });
  if (restarts) {
    trips.noteAdded({ late: { from: points[100]?.time ?? 0, to: points[110]?.time ?? 0 }, inOrder: 0 });
    trips.replaceChunks([], []);
    trips = new Trips(storage, ENV, stored, memory as unknown as PointMemory);
    trips.restore();
    await trips.recompute();
  }
  return trips.touching(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
}

class OpenPoints {
  open: Point[] = [];

  after(point: Identity | null) {
    return point ? this.open.slice(this.indexAfter(point)) : this.open;
  }

  indexAfter(point: Identity) {
    const index = this.open.findIndex((own) => comparePoints(own, point) > 0);
    return index === -1 ? this.open.length : index;
  }
}

/** JSON of the states after the chunks of the points; `putAs` changes the predictions of a flush. */
function statesOf(
  points: Point[],
  putAs: (predicted: PredictedState | null) => PredictedState | null,
  meanwhile: (trips: Trips) => void = () => {},
): (string | null)[] {
  const { catalogue, stored, pieces, writtenAs } = chunksOf(points, newObjectStorage());
  const memory = new OpenPoints();
  memory.open = points;
  const trips = new Trips(newObjectStorage(), ENV, stored, memory as unknown as PointMemory);
  const predicted = trips.processChunks([], pieces);
  const added = writtenAs((part) => putAs(predicted[part] ?? null));
  meanwhile(trips);
  trips.replaceChunks([], added);
  return added.map(({ header }) => catalogue.stateAfter(header));
}

/** Chunks of the points, not yet in the catalogue, and the used members of `StoredChunks`. */
function chunksOf(points: Point[], storage: DurableObjectStorage) {
  const catalogue = new ChunkCatalogue(storage.sql);
  const pieces = cutChunks(points);
  const data = new Map(pieces.map(({ row }, part) => [part + 1, row.data]));
  const replace = (removed: number[], added: WrittenChunk[]) =>
    catalogue.replace(
      removed,
      added.map(({ header }) => header),
    );
  const stored = { catalogue, replace, read: async () => data } as unknown as StoredChunks;
  const writtenAs = (predictedOf: (part: number) => PredictedState | null) =>
    pieces.map(({ row: { data, ...row }, points: own }, part): WrittenChunk => {
      const summarized = { summary: "", rules: "", pins: 0 };
      const header = { ...row, id: part + 1, flush: 1, part };
      return { header, data, identities: identitiesOf(own), summarized, predicted: predictedOf(part) };
    });
  return { catalogue, stored, pieces, writtenAs };
}

/** A point every 20 seconds, now fast and now slow. */
function newDrive(count: number): Point[] {
  const chance = chanceOf(8);
  return Array.from({ length: count }, (_, index) =>
    pointAt(index * 20, {
      lat: 40 + index * 0.001,
      speed: Math.floor(index / 50) % 2 ? chance() * 2 : 40 + chance() * 9,
    }),
  );
}
