import { effort } from "../effort.ts";
import { FIELD_SAMPLES } from "./field.ts";
import { FILES_SAMPLES } from "./files.ts";
import { DRIVER_JOURNAL_SAMPLES } from "./fleet/driver-journal.ts";
import { FORWARDING_SAMPLES } from "./fleet/forwarding.ts";
import { HISTORY_SAMPLES } from "./fleet/history.ts";
import { IMPORT_SAMPLES } from "./fleet/import.ts";
import { PEOPLE_SAMPLES } from "./fleet/people.ts";
import { SERVICE_TASK_SAMPLES } from "./fleet/service-task.ts";
import { TAG_SAMPLES } from "./fleet/tag.ts";
import { TELEMETRY_SAMPLES } from "./fleet/telemetry.ts";
import { TRACKER_SAMPLES } from "./fleet/tracker.ts";
import { VEHICLE_SAMPLES } from "./fleet/vehicle.ts";
import { WORK_STATUS_SAMPLES } from "./fleet/work-status.ts";
import { PANEL_SAMPLES } from "./gateway/panel.ts";
import { SUB_USER_SAMPLES } from "./gateway/sub-user.ts";
import { USER_SAMPLES } from "./gateway/user.ts";
import { WEBHOOK_SAMPLES } from "./gateway/webhook.ts";
import { GEOCODER_SAMPLES } from "./geo/geocoder.ts";
import { PLACE_SAMPLES } from "./geo/place.ts";
import { RULE_SAMPLES } from "./geo/rule.ts";
import { TRACK_SAMPLES } from "./geo/track.ts";
import { ZONE_SAMPLES } from "./geo/zone.ts";
import { REPORTS_SAMPLES } from "./reports.ts";
import type { Sample } from "./sample.ts";
import { SYNC_SAMPLES } from "./sync.ts";
import { TASKS_SAMPLES } from "./tasks.ts";

/** Samples by operation: at least one for each, and one for each way to name the things that it asks for. */
export const SAMPLES: Record<string, Sample[]> = {
  ...USER_SAMPLES,
  ...WEBHOOK_SAMPLES,
  ...SUB_USER_SAMPLES,
  ...PANEL_SAMPLES,
  ...TRACKER_SAMPLES,
  ...PEOPLE_SAMPLES,
  ...DRIVER_JOURNAL_SAMPLES,
  ...WORK_STATUS_SAMPLES,
  ...HISTORY_SAMPLES,
  ...TASKS_SAMPLES,
  ...FIELD_SAMPLES,
  ...TAG_SAMPLES,
  ...TELEMETRY_SAMPLES,
  ...VEHICLE_SAMPLES,
  ...FILES_SAMPLES,
  ...IMPORT_SAMPLES,
  ...SERVICE_TASK_SAMPLES,
  ...TRACK_SAMPLES,
  ...FORWARDING_SAMPLES,
  ...PLACE_SAMPLES,
  ...ZONE_SAMPLES,
  ...GEOCODER_SAMPLES,
  ...REPORTS_SAMPLES,
  ...RULE_SAMPLES,
  ...SYNC_SAMPLES,
};

/** The fit samples of an operation for a rule about all operations: one call proves it, and a campaign makes all of them. */
export function samplesOf(path: string, isFit = (_: Sample) => true): Sample[] {
  const samples = (SAMPLES[path] ?? []).filter(isFit);
  return samples.slice(0, effort({ few: 1, many: samples.length }));
}
