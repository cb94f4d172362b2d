import * as z from "zod";
import { Tariff } from "#shared/contract/tracker/tariff.ts";
import { operation } from "../operation.ts";
import { changeOwnTariff, selectOfferedTariffs } from "./choice-queries.ts";

export const listTariffs = operation("/tariff/list", {
  summary: "The tariffs that the account's devices have, and those that its dealer offers",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Tariff.extend({ paas_free: z.boolean() })) }),
  errors: [],
  async run(_input, { db, principal }) {
    const tariffs = await selectOfferedTariffs(db, principal);
    return { list: tariffs.map(({ dealer_id, ...tariff }) => ({ ...tariff, paas_free: tariff.price === 0 })) };
  },
});

export const changeTrackerTariff = operation("/tariff/tracker/change", {
  summary: "Gives a device another tariff of the same group, from now on; once in 30 days",
  masterOnly: true,
  input: z.object({ tracker_id: z.int(), tariff_id: z.int() }),
  output: z.object({}),
  errors: [13, 201, 219, 221, 237, 238, 239, 240],
  async run({ tracker_id, tariff_id }, { db, principal, actor }) {
    await changeOwnTariff(db, principal, tracker_id, tariff_id, actor);
    return {};
  },
});

export const operations = [listTariffs, changeTrackerTariff];
