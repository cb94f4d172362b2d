import * as z from "zod";
import { newEntry } from "#shared/caller/audit.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { feedOf } from "../../object/addresses.ts";
import { hashIngestKey } from "../../object/ingest-key.ts";
import { operation } from "../../operation.ts";

/** Printable ASCII. HTTP drops blanks at the ends of a header's value. */
const Key = z
  .string()
  .regex(/^[!-~][ -~]{14,62}[!-~]$/, { error: "must be 16 to 64 printable ASCII characters, no blank at either end" });

export const updateIngestKey = operation("/tracker/ingest_key/update", {
  summary: "Sets the key that a device must send with its points, or null for none",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), key: Key.nullable() }),
  output: z.object({}),
  errors: [204, 208, 219],
  async run({ tracker_id, key }, { env, principal, actor }) {
    const { feed, clone } = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 204 });
    // A clone's device belongs to another account.
    if (clone) throw new ApiError(219);
    // The audit log must not contain the key.
    const payload = { required: key !== null };
    const entry = newEntry(actor, { is: ["ingest_key", "update"], entry_id: tracker_id, payload });
    const hash = key === null ? null : hashIngestKey(key, feed.tracker_id, env);
    await feedOf(env, feed.tracker_id).setIngestKey(hash, entry);
    return {};
  },
});

export const operations = [updateIngestKey];
