import * as z from "zod";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { changeGarage, insertGarage, removeGarage, selectGarages } from "./queries.ts";
import { ChangedGarage, Garage, NewGarage } from "./schema.ts";

export const listGarages = operation("/garage/list", {
  summary: "All garages",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Garage) }),
  errors: [],
  async run(_, { db, principal }) {
    return listAnswer({}, await selectGarages(db, principal));
  },
});

export const createGarage = operation("/garage/create", {
  summary: "Creates a garage",
  right: "vehicle_update",
  input: z.object({ garage: NewGarage }),
  output: z.object({ id: z.int() }),
  errors: [268],
  async run({ garage }, { db, principal, actor }) {
    const id = await insertGarage(db, principal, garage, actor);
    return { id };
  },
});

export const updateGarage = operation("/garage/update", {
  summary: "Changes a garage; what is left out stays",
  right: "vehicle_update",
  input: z.object({ garage: ChangedGarage }),
  output: z.object({}),
  errors: [201],
  async run({ garage }, { db, principal, actor }) {
    await changeGarage(db, principal, garage, actor);
    return {};
  },
});

export const deleteGarage = operation("/garage/delete", {
  summary: "Deletes a garage; its vehicles stay without one",
  right: "vehicle_update",
  input: z.object({ garage_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ garage_id }, { db, principal, actor }) {
    await removeGarage(db, principal, garage_id, actor);
    return {};
  },
});

export const operations = [listGarages, createGarage, updateGarage, deleteGarage];
