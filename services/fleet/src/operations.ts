import { removeClone } from "./clone/operations.ts";
import { changeDepartment, createDepartment, listDepartments, removeDepartment } from "./department/operations.ts";
import {
  changeEmployee,
  convertEmployees,
  createEmployee,
  listEmployees,
  readEmployee,
  removeEmployee,
} from "./employee/operations.ts";
import { changeGarage, createGarage, listGarages, removeGarage } from "./garage/operations.ts";
import { listModels } from "./model/operations.ts";
import { changeTag, createTag, listTags, removeTag, searchTagged } from "./tag/operations.ts";
import { changeSettings, listTrackers, readSettings, readTracker, registerTracker } from "./tracker/operations.ts";
import {
  assignTrackerGroup,
  changeTrackerGroup,
  createTrackerGroup,
  listTrackerGroups,
  removeTrackerGroup,
} from "./tracker-group/operations.ts";
import { setTrackerTags } from "./tracker-tags/operations.ts";
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
  removeClone,
  setTrackerTags,
  listTrackerGroups,
  createTrackerGroup,
  changeTrackerGroup,
  removeTrackerGroup,
  assignTrackerGroup,
  listModels,
  createVehicle,
  updateExisting,
  readVehicle,
  listVehicles,
  deleteVehicle,
  convertBatch,
  listGarages,
  createGarage,
  changeGarage,
  removeGarage,
  listDepartments,
  createDepartment,
  changeDepartment,
  removeDepartment,
  createEmployee,
  changeEmployee,
  readEmployee,
  listEmployees,
  removeEmployee,
  convertEmployees,
  createTag,
  changeTag,
  removeTag,
  listTags,
  searchTagged,
];
