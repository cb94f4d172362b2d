import { openDatabase } from "#shared/database/open.ts";
import type { TasksEnv } from "../../env.ts";
import { selectFormsWithoutAreas, storeAreas } from "./area-queries.ts";

/**
 * Finds out what held the places of submissions that were stored without. Where a tracker was seen last is asked only once its
 * task is known, and what is there would be a trip more.
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

/** As many spots as geo takes in a call. */
const MAX_SPOTS_PER_CALL = 50;
