import type { Operation } from "#shared/operation/declaration.ts";
import type { GeoEnv } from "./env.ts";
import { changeIngestKey } from "./ingest-key/operations.ts";
import { changeEntity, changeFields, listEntities, readEntity, readFields } from "./place/entity/operations.ts";
import { changePlace, createPlace, listPlaces, readPlace, removePlace, searchPlaces } from "./place/operations.ts";
import { readSensorData } from "./sensor/operations.ts";
import {
  bindPlaces,
  bindZones,
  listPlaceIds,
  listPlacesOfSubUser,
  listZoneIds,
  listZonesOfSubUser,
  unbindPlaces,
  unbindZones,
} from "./sharing/operations.ts";
import { getLastGpsPoint, getState, getStates } from "./state/operations.ts";
import { readEngineHours, readMileage } from "./stats/operations.ts";
import { downloadTrack, listTracks, readTrack } from "./track/operations.ts";
import { changeTripDetection, readTripDetection } from "./trip-detection/operations.ts";
import { downloadZones, uploadZones } from "./zone/file/operations.ts";
import { changeZone, createZone, listZones, readZone, removeZone, searchZones } from "./zone/operations.ts";
import { changeZonePoints, listZonePoints } from "./zone/point/operations.ts";

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
  uploadZones,
  downloadZones,
  createPlace,
  readPlace,
  listPlaces,
  changePlace,
  removePlace,
  searchPlaces,
  listEntities,
  readEntity,
  changeEntity,
  readFields,
  changeFields,
  bindPlaces,
  unbindPlaces,
  listPlaceIds,
  listPlacesOfSubUser,
  bindZones,
  unbindZones,
  listZoneIds,
  listZonesOfSubUser,
];
