import { listModels } from "./model/operations.ts";
import { changeSettings, listTrackers, readSettings, readTracker, registerTracker } from "./tracker/operations.ts";

export const operations = [registerTracker, readTracker, listTrackers, readSettings, changeSettings, listModels];
