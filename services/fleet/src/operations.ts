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
import {
  countAssetEvents,
  countUnreadEvents,
  listAssetEvents,
  listEventTypes,
  listTrackerEvents,
  listUnreadEvents,
  listUserEvents,
  markAllEventsRead,
  markEventRead,
  readEvent,
} from "./history/operations.ts";
import {
  changeJournalEntry,
  createJournalEntries,
  listJournalEntries,
  removeJournalEntries,
} from "./journal-entry/operations.ts";
import { listProposals } from "./journal-proposal/operations.ts";
import { listModels } from "./model/operations.ts";
import { changeStatus, createStatus, listStatuses, removeStatus } from "./status/operations.ts";
import {
  assignStatusListing,
  changeStatusListing,
  createStatusListing,
  listStatusListings,
  removeStatusListing,
} from "./status-listing/operations.ts";
import { changeTag, createTag, listTags, removeTag, searchTagged } from "./tag/operations.ts";
import { changeSettings, listTrackers, readSettings, readTracker, registerTracker } from "./tracker/operations.ts";
import { assignToTracker, readOnTracker } from "./tracker-employee/operations.ts";
import {
  assignTrackerGroup,
  changeTrackerGroup,
  createTrackerGroup,
  listTrackerGroups,
  removeTrackerGroup,
} from "./tracker-group/operations.ts";
import { assignStatus, listTrackerStatuses, readTrackerStatus } from "./tracker-status/operations.ts";
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
  assignToTracker,
  readOnTracker,
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
  readEvent,
  markEventRead,
  markAllEventsRead,
  listTrackerEvents,
  listUserEvents,
  listAssetEvents,
  countAssetEvents,
  listEventTypes,
  listUnreadEvents,
  countUnreadEvents,
  listStatusListings,
  createStatusListing,
  changeStatusListing,
  removeStatusListing,
  assignStatusListing,
  listStatuses,
  createStatus,
  changeStatus,
  removeStatus,
  assignStatus,
  readTrackerStatus,
  listTrackerStatuses,
  listJournalEntries,
  createJournalEntries,
  changeJournalEntry,
  removeJournalEntries,
  listProposals,
];
