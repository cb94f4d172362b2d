import { and, eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewBundles } from "#shared/contract/tracker/stock.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { bundle } from "../../table/registration/bundle.ts";
import { EQUIPMENT } from "../../tracker/model/models.ts";

/** Stores all of these devices; none (247, with their IMEIs) when some are stored already. */
export async function insertBundles(
  db: Database,
  { dealer_id }: Principal,
  { imeis, equip_id, factory_preset }: NewBundles,
  now: number,
) {
  const model = EQUIPMENT.find(({ id }) => id === equip_id)?.model;
  if (!model) throw new ApiError(204);
  const imported = among(bundle.imei, imeis);
  const { existing, inserted } = await write(db, {
    existing: db.select({ imei: bundle.imei }).from(bundle).where(imported),
    inserted: db
      .insert(bundle)
      .select(
        sql`SELECT NULL, ${dealer_id}, value, ${equip_id}, ${model}, ${factory_preset}, ${now}
          FROM json_each(${JSON.stringify(imeis)})
          WHERE NOT EXISTS (SELECT 1 FROM ${bundle} WHERE ${imported})`,
      )
      .returning({ id: bundle.id }),
  });
  if (inserted.length === 0) throw new ApiError(247, { list: existing.map(({ imei }) => imei) });
}

/** Condition: the caller's dealer sells the device. */
export function isSoldBy({ dealer_id }: Pick<Principal, "dealer_id">, imei: string) {
  return and(eq(bundle.imei, imei), eq(bundle.dealer_id, dealer_id));
}
