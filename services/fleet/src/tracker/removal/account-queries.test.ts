import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { openDatabase } from "#shared/database/open.ts";
import { serveDatabase } from "#test/tool/database/server.ts";
import { accountSize } from "../../table/account-size.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { rowOf } from "../../vehicle/queries.ts";
import { NewVehicle } from "../../vehicle/schema.ts";
import { removeAccount } from "./account-queries.ts";

const db = openDatabase(await serveDatabase("fleet"));

test("removeAccount removes an account's rows in bounded parts, and no other account's", async () => {
  const van = rowOf(NewVehicle.parse({ label: "Van" }));
  await db.insert(vehicle).values([1, 2, 1, 1, 2, 1, 1].map((account_id) => ({ ...van, account_id })));
  const batch = vi.spyOn(db, "batch");
  expect((await removeAccount(db, 1, 0, 2)).isNew).toBe(true);
  expect(batch).toHaveBeenCalledTimes(3);
  expect(await db.select().from(vehicle).where(eq(vehicle.account_id, 1))).toEqual([]);
  expect(await db.select().from(accountSize)).toEqual([{ account_id: 2, vehicles: 2, employees: 0 }]);
  expect((await removeAccount(db, 1, 0, 2)).isNew).toBe(false);
});
