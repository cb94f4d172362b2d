import type { Operation } from "#shared/operation.ts";
import type { GeoEnv } from "./env.ts";
import { changeIngestKey } from "./ingest-key/operations.ts";
import { readSensorData } from "./sensor/operations.ts";
import { getLastGpsPoint, getState, getStates } from "./state/operations.ts";
import { readEngineHours, readMileage } from "./stats/operations.ts";
import { downloadTrack, listTracks, readTrack } from "./track/operations.ts";
import { changeTripDetection, readTripDetection } from "./trip-detection/operations.ts";

export const operations: Operation<GeoEnv>[] = [
  listTracks,
  readTrack,
  downloadTrack,
  getState,
  getStates,
  getLastGpsPoint,
  readTripDetection,
  changeTripDetection,
  changeIngestKey,
  readSensorData,
  readMileage,
  readEngineHours,
];
