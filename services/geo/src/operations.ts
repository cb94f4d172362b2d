import type { Operation } from "#shared/operation.ts";
import type { GeoEnv } from "./env.ts";
import { changeIngestKey } from "./ingest-key/operations.ts";
import { readSensorData } from "./sensor/operations.ts";
import { getLastGpsPoint, getState, getStates } from "./state/operations.ts";
import { readEngineHours, readMileage } from "./stats/operations.ts";
import { bindZones, listZoneIds, listZonesOfSubUser, unbindZones } from "./sub-user-binding/operations.ts";
import { downloadTrack, listTracks, readTrack } from "./track/operations.ts";
import { changeTripDetection, readTripDetection } from "./trip-detection/operations.ts";
import { changeZone, createZone, listZones, readZone, removeZone, searchZones } from "./zone/operations.ts";
import { changeZonePoints, listZonePoints } from "./zone-point/operations.ts";

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
  createZone,
  readZone,
  listZones,
  changeZone,
  removeZone,
  searchZones,
  listZonePoints,
  changeZonePoints,
  bindZones,
  unbindZones,
  listZoneIds,
  listZonesOfSubUser,
];
