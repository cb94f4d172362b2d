import { listModels } from "./model/operations.ts";
import { changeSettings, listTrackers, readSettings, readTracker, registerTracker } from "./tracker/operations.ts";
import {
  convertBatch,
  createVehicle,
  deleteVehicle,
  listVehicles,
  readVehicle,
  updateExisting,
} from "./vehicle/operations.ts";

export const operations = [
  registerTracker,
  readTracker,
  listTrackers,
  readSettings,
  changeSettings,
  listModels,
  createVehicle,
  updateExisting,
  readVehicle,
  listVehicles,
  deleteVehicle,
  convertBatch,
];
