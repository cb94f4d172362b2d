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
  removeClone,
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
];
