import { DAY, RANGE } from "../range.ts";
import type { Sample } from "../sample.ts";

export const TRACK_SAMPLES: Record<string, Sample[]> = {
  "/track/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, include_gsm_lbs: false }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, with_points: true, split: false }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, with_points: true, include_gsm_lbs: false }) },
  ],
  "/track/read": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id, track_id }) => ({ tracker_id, track_id, ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, simplify: false, filter: false }) },
  ],
  "/track/download": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) },
    { parameters: ({ tracker_id, track_id }) => ({ tracker_id, track_ids: [track_id], ...RANGE, format: "kmz" }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, split: true, simplify: false }) },
  ],
  "/track/position/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], time: DAY.to }) }],
  "/track/visit/list": [{ parameters: ({ tracker_id }) => ({ tracker_id, ...DAY }) }],
  "/tracker/settings/lbs/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/lbs/update": [{ parameters: ({ tracker_id }) => ({ tracker_id, max_radius: 5000 }) }],
  "/tracker/stats/mileage/read": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], ...RANGE }) }],
  "/tracker/stats/engine_hours/read": [{ parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) }],
  "/tracker/get_state": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_states": [
    { parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) },
    { parameters: ({ tracker_id }) => ({ trackers: [tracker_id], list_blocked: true, allow_not_exist: true }) },
  ],
  "/tracker/get_last_gps_point": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/trip_detection/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/settings/trip_detection/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, min_idle_duration_minutes: 5 }) },
  ],
  "/tracker/ingest_key/update": [{ parameters: ({ tracker_id }) => ({ tracker_id, key: null }) }],
};
