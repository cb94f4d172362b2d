/** Where and when a tracker is expected: of a task or a checkpoint that was given to it. Moments in UTC milliseconds. */
export type Stop = {
  task_id: number;
  lat: number;
  lng: number;
  /** Meters. */
  radius: number;
  from: number;
  /** Behind it, no visit counts. */
  deadline: number;
  min_arrival_ms: number;
  min_stay_ms: number;
};

/** All stops of a tracker, as they were when the revision was the last. */
export type StopList = { revision: number; stops: Stop[]; is_whole: boolean };

/** What a tracker's points show of one stop. */
export type VisitReport = {
  /** As the feed knew it: where it is another one by now, the report is of no use. */
  stop: Stop;
  /** A later report on a task has a higher one. */
  revision: number;
  /** When the first visit that counts began; null: there is none. */
  arrival_date: number | null;
  /** When that visit had lasted long enough to count. */
  arrived: number | null;
  /** Of all visits that count. */
  stay_ms: number;
  /** When they had lasted as long as the stop asks for; null: they have not. */
  stayed: number | null;
};

/** Whose points are meant. */
export type VisitingTracker = { account_id: number; tracker_id: number };

/** Since which revision of the account's the tracker has the stops that it has. */
export type ChangedWork = { tracker_id: number; revision: number };

/** Work as the feeds of trackers see it. */
export interface VisitedWork {
  /** Trackers whose stops have changed behind the revision, each with its own, in the order of these; at most `WORK_PAGE`. */
  changedWork(account_id: number, revision: number): Promise<ChangedWork[]>;
  /** The tracker's stops whose deadlines are not before `since`. */
  stopsOf(tracker: VisitingTracker, since: number): Promise<StopList>;
  /** What points show. Told twice, or after a later report, it changes nothing. At most `REPORTS_A_CALL`. */
  reportVisits(tracker: VisitingTracker, reports: VisitReport[]): Promise<void>;
}

/** Whoever passes on to feeds that work has changed. */
export interface WorkWatch {
  /** Whoever asks for the account's work from now on gets what it is. */
  workChanged(account_id: number): Promise<void>;
}

export const MAX_TRACKERS_PER_WORK_PAGE = 5000;
export const MAX_REPORTS_PER_CALL = 50;
