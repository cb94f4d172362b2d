import * as z from "zod";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { requireSpan } from "#shared/time/span.ts";
import { operation } from "../../operation.ts";
import { meterSearchFor, valueAtMoment } from "../../telemetry/counter/value.ts";
import { requireUsableJournal } from "../entry/require-journal.ts";
import { requireRange } from "../entry/require-range.ts";
import { propose } from "./propose.ts";
import { selectProposalInputs } from "./queries.ts";

const ProposalLocation = z.object({ lat: z.number(), lng: z.number(), address: z.string() });

export const Proposal = z.object({
  tracker_id: z.int(),
  employee_id: z.int().nullable(),
  start_date: dateTime(),
  end_date: dateTime(),
  start_location: ProposalLocation,
  end_location: ProposalLocation,
  /** Kilometers. */
  length: z.number(),
  /** The tracker's odometer at the start of the drive, in kilometers; null without an odometer. */
  start_odometer: z.number().nullable(),
  end_odometer: z.number().nullable(),
  /** True when a stored entry of the tracker intersects the proposal. */
  overlapped: z.boolean(),
});

export const listProposals = operation("/driver/journal/proposal/list", {
  summary: "Proposals for journal entries: a tracker's tracks, divided where the driver changed",
  feature: "driver_journal",
  reads: true,
  expensive: true,
  input: z.object({ tracker_id: z.int(), from: dateTime().optional(), to: dateTime().optional() }),
  output: z.object({
    list: z.array(Proposal),
  }),
  errors: [208, 211, 236],
  async run({ tracker_id, from, to }, { db, env, principal, clock }) {
    const range = requireRange(from, to);
    requireSpan(range, env.MAX_SPANS, "tracks", clock.zone);
    const { trackers, changes, entries, odometer } = await selectProposalInputs(db, principal, tracker_id, range);
    const { feed, store_period } = requireUsableJournal(trackers, "tracker_id");
    const stored = storedRange(range, [store_period, principal.store_period], clock);
    if (stored.from > range.to) return { list: [] };
    const cuts = changes.map(({ changed }) => changed);
    const search = odometer ? meterSearchFor([odometer]) : null;
    const { drives: touchingDrives, metered } = await env.GEO.drivesOf(
      feed.tracker_id,
      { ...stored, locale: principal.locale },
      cuts,
      search,
    );
    // A drive that began before the storage period would reveal where the tracker was at that time.
    const drives = touchingDrives.filter(({ start_time }) => start_time >= stored.since);
    const odometerAt = (time: number, values: number[] | null) =>
      odometer && search && metered && values ? valueAtMoment(odometer, search, metered, { time, values }) : null;
    return { list: propose(tracker_id, drives, { changes, entries, odometerAt }) };
  },
});

export const operations = [listProposals];
