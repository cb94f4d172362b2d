import { openDatabase } from "#shared/database/open.ts";
import type { TasksEnv } from "../../env.ts";
import { selectFormsWithoutAreas, storeAreas } from "./area-queries.ts";

/**
 * Stores the areas of submissions that were stored without them. A submission at the tracker's last position does not
 * wait for its areas: they would cost another trip to geo.
 */
export async function resolveAreas(env: TasksEnv): Promise<void> {
  const db = openDatabase(env);
  const forms = await selectFormsWithoutAreas(db, MAX_SPOTS_PER_CALL);
  if (forms.length === 0) return;
  const spots = forms.map(({ account_id, location: { lat, lng } }) => ({ account_id, lat, lng }));
  const found = await env.GEO.areasAround(spots);
  await storeAreas(
    db,
    forms.flatMap((form, index) => {
      const areas = found[index];
      return areas ? [{ form, areas }] : [];
    }),
  );
}

/** Geo accepts no more positions in a call. */
const MAX_SPOTS_PER_CALL = 50;
