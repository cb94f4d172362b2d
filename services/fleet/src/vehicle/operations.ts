import * as z from "zod";
import { distinctCells } from "#shared/batch/cells.ts";
import { readRows, SOURCE } from "#shared/batch/source.ts";
import { tagNamesIn } from "#shared/batch/tags.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../operation.ts";
import { listSearch } from "../search/list-search.ts";
import { selectByNames } from "../tag/queries.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { operations as avatar } from "./avatar/operations.ts";
import { CheckedVehicle, convertRows, IMPORT_FIELDS } from "./batch.ts";
import { operations as garage } from "./garage/operations.ts";
import { selectByOrganizations } from "./garage/queries.ts";
import { changeVehicle, insertVehicle, removeVehicles, requireVehicle, SORTABLE, selectVehicles } from "./queries.ts";
import { ChangedVehicle, NewVehicle, Vehicle } from "./schema.ts";
import { operations as serviceTask } from "./service-task/operations.ts";
import { operations as serviceTaskFile } from "./service-task-file/operations.ts";

export const createVehicle = operation("/vehicle/create", {
  summary: "Creates a vehicle; 247 names the vehicle that keeps the tracker",
  right: "vehicle_update",
  input: z.object({ vehicle: NewVehicle, force_reassign: z.boolean().default(true) }),
  output: z.object({ id: z.int() }),
  errors: [247, 268],
  async run({ vehicle, force_reassign }, { db, principal, actor }) {
    const id = await insertVehicle(db, principal, vehicle, force_reassign, actor);
    return { id };
  },
});

export const updateVehicle = operation("/vehicle/update", {
  summary: "Changes a vehicle; members that are left out stay. 247 names the vehicle that keeps the tracker",
  right: "vehicle_update",
  input: z.object({ vehicle: ChangedVehicle, force_reassign: z.boolean().default(true) }),
  output: z.object({}),
  errors: [201, 247, 261],
  async run({ vehicle, force_reassign }, { db, principal, actor }) {
    await changeVehicle(db, principal, vehicle, force_reassign, actor);
    return {};
  },
});

export const readVehicle = operation("/vehicle/read", {
  summary: "A vehicle",
  reads: true,
  input: z.object({ vehicle_id: z.int() }),
  output: z.object({ value: Vehicle }),
  errors: [201],
  async run({ vehicle_id }, { db, principal }) {
    return { value: await requireVehicle(db, principal, vehicle_id) };
  },
});

export const listVehicles = operation("/vehicle/list", {
  summary: "The vehicles that the caller sees, filtered, sorted and in pages",
  reads: true,
  input: listSearch(SORTABLE),
  output: z.object({ list: z.array(Vehicle), count: z.int() }),
  errors: [],
  async run(search, { db, principal }) {
    const { count, page } = await selectVehicles(db, principal, search);
    return listAnswer({ count }, page);
  },
});

export const deleteVehicle = operation("/vehicle/delete", {
  summary: "Deletes a vehicle, or several, where unknown ids are skipped",
  right: "vehicle_update",
  input: z.object({ vehicle_id: z.int().optional(), vehicle_ids: z.array(z.int()).max(10_000).optional() }),
  output: z.object({}),
  errors: [201],
  async run({ vehicle_id, vehicle_ids }, { db, principal, actor }) {
    if ((vehicle_id === undefined) === (vehicle_ids === undefined)) {
      throw invalid("has_at_least_one_vehicle_id", "give exactly one of vehicle_id and vehicle_ids");
    }
    const removed = await removeVehicles(db, principal, vehicle_ids ?? [vehicle_id ?? 0], actor);
    if (vehicle_id !== undefined && removed.length === 0) throw new ApiError(201);
    return {};
  },
});

export const batchConvertVehicles = operation("/vehicle/batch_convert", {
  summary: "Reads vehicles from tab-delimited text or a parsed sheet and checks them; stores nothing",
  right: "vehicle_update",
  expensive: true,
  input: z.object({
    ...SOURCE,
    fields: z.array(z.enum(IMPORT_FIELDS)).max(256).default(["label", "model", "reg_number", "fuel_grade"]),
  }),
  output: z.object({ list: z.array(CheckedVehicle), limit_exceeded: z.boolean() }),
  errors: [234],
  async run({ fields, ...source }, { db, env, principal }) {
    const { rows, limit_exceeded } = await readRows(source, fields, env, principal);
    const lookups = await read(db, {
      trackers: selectByLabels(db, principal, distinctCells(rows, "tracker_label")),
      garages: selectByOrganizations(db, principal, distinctCells(rows, "garage")),
      tags: selectByNames(db, principal, tagNamesIn(rows)),
    });
    return { list: convertRows(rows, lookups), limit_exceeded };
  },
});

export const operations = [
  createVehicle,
  updateVehicle,
  readVehicle,
  listVehicles,
  deleteVehicle,
  batchConvertVehicles,
  ...garage,
  ...serviceTask,
  ...serviceTaskFile,
  ...avatar,
];
