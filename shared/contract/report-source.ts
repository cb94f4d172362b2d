type Place = { lat: number; lng: number; address: string };

/** A trip as reports show it. UTC milliseconds, km/h. */
export type ReportTrip = {
  start_time: number;
  end_time: number;
  start: Place;
  end: Place;
  length_meters: number;
  max_speed: number;
  /** Fewer than four points, or hardly any way: the smart filter leaves it out. */
  is_short: boolean;
};

/** A point as reports show it; the speed as it was measured. */
export type ReportPoint = {
  time: number;
  lat: number;
  lng: number;
  alt: number | null;
  heading: number | null;
  satellites: number | null;
  speed: number;
};

/** From where on to read, and how many of that moment have been read. */
export type PointCursor = { time: number; skip: number };

/** What reports are made of. The tracker is the one whose points are shown. */
export interface ReportSource {
  /** The trips that touch the range, whole, but for lone reports; their addresses by locale. */
  tripsIn(tracker_id: number, range: { from: number; to: number; locale: string }): Promise<ReportTrip[]>;
  /** Some thousand points up to `to`, in time order; null behind the last. */
  pointsIn(
    feed: { account_id: number; tracker_id: number },
    from: PointCursor,
    to: number,
  ): Promise<{ points: ReportPoint[]; next: PointCursor | null }>;
}
