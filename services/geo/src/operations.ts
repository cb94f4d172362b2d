import type { Operation } from "#shared/operation/declaration.ts";
import type { GeoEnv } from "./env.ts";
import { operations as geocoder } from "./geocoder/operations.ts";
import { operations as ingestKey } from "./ingest/key/operations.ts";
import { operations as lbs } from "./ingest/lbs/operations.ts";
import { operations as state } from "./live/state/operations.ts";
import { operations as placeAvatar } from "./place/avatar/operations.ts";
import { operations as placeBatch } from "./place/batch/operations.ts";
import { operations as placeEntity } from "./place/entity/operations.ts";
import { operations as placeFile } from "./place/file/operations.ts";
import { operations as place } from "./place/operations.ts";
import { operations as sharing } from "./place/sharing/operations.ts";
import { operations as rule } from "./rule/operations.ts";
import { operations as ruleTrial } from "./rule/trial/operations.ts";
import { operations as ruleType } from "./rule/type-operations.ts";
import { operations as track } from "./track/operations.ts";
import { operations as trackPosition } from "./track/position/operations.ts";
import { operations as sensor } from "./track/sensor/operations.ts";
import { operations as stats } from "./track/stats/operations.ts";
import { operations as tripDetection } from "./track/trip-detection/operations.ts";
import { operations as trackVisit } from "./track/visit/operations.ts";
import { operations as zoneBatch } from "./zone/batch/operations.ts";
import { operations as zoneFile } from "./zone/file/operations.ts";
import { operations as zone } from "./zone/operations.ts";
import { operations as zonePoint } from "./zone/point/operations.ts";

export const operations: Operation<GeoEnv>[] = [
  ...track,
  ...trackPosition,
  ...trackVisit,
  ...state,
  ...tripDetection,
  ...lbs,
  ...ingestKey,
  ...sensor,
  ...stats,
  ...zone,
  ...zonePoint,
  ...zoneFile,
  ...zoneBatch,
  ...place,
  ...placeAvatar,
  ...placeEntity,
  ...placeBatch,
  ...placeFile,
  ...rule,
  ...ruleTrial,
  ...ruleType,
  ...sharing,
  ...geocoder,
];
