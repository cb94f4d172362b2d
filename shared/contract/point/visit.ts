/** The position and time at which a task or checkpoint expects its tracker. UTC milliseconds. */
export type Stop = {
  task_id: number;
  lat: number;
  lng: number;
  /** Meters. */
  radius: number;
  from: number;
  /** Visits after this moment do not count. */
  deadline: number;
  min_arrival_ms: number;
  min_stay_ms: number;
};

/** All stops of a tracker at `revision`; `is_whole` is false when there are too many to answer. */
export type StopList = { revision: number; stops: Stop[]; is_whole: boolean };

/** Result of comparing a tracker's points with one stop. */
export type VisitReport = {
  /** The stop as the feed knew it: tasks ignores the report when the stop has changed since. */
  stop: Stop;
  /** Later reports on the same task have higher revisions. */
  revision: number;
  /** Start of the first visit that counts; null without one. */
  arrival_date: number | null;
  /** When that visit had lasted long enough to count. */
  arrived: number | null;
  /** Total of all visits that count. */
  stay_ms: number;
  /** When the visits had lasted as long as the stop requires; null: not yet. */
  stayed: number | null;
};

/** The tracker whose points are compared. */
export type VisitingTracker = { account_id: number; tracker_id: number };

/** The account's revision at which the tracker's stops last changed. */
export type ChangedWork = { tracker_id: number; revision: number };

/** Stops of trackers, for their feeds. */
export interface VisitedWork {
  /**
   * Trackers whose stops changed after `revision`, in the order of their revisions; at most
   * `MAX_TRACKERS_PER_WORK_PAGE`.
   */
  changedWork(account_id: number, revision: number): Promise<ChangedWork[]>;
  /** The tracker's stops with deadlines at or after `since`. */
  stopsOf(tracker: VisitingTracker, since: number): Promise<StopList>;
  /** Stores visit reports; older or repeated ones change nothing. At most `MAX_REPORTS_PER_CALL`. */
  reportVisits(tracker: VisitingTracker, reports: VisitReport[]): Promise<void>;
}

/** Notice to feeds that tasks of an account changed. */
export interface WorkWatch {
  /** Makes feeds read the account's stops anew. */
  workChanged(account_id: number): Promise<void>;
}

export const MAX_TRACKERS_PER_WORK_PAGE = 5000;
export const MAX_REPORTS_PER_CALL = 50;
