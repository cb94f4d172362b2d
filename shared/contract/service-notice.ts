/** A mail about a service task, as fleet tells it to the gateway, which knows the words. */
export type ServiceNotice = {
  /** Unique: what is told twice is one mail. */
  id: string;
  account_id: number;
  to: string;
  status: "notified" | "expired";
  vehicle_label: string;
  description: string;
  comment: string;
  /** Where the task ends: kilometers and hours by the counters, a moment in UTC milliseconds; null: not by that. */
  end: { mileage: number | null; engine_hours: number | null; date: number | null };
};

/** A mail about an event that a rule tells. */
export type EventNotice = {
  kind: "event";
  id: string;
  account_id: number;
  tracker_id: number;
  to: string;
  tracker_label: string;
  message: string;
  /** UTC milliseconds. */
  time: number;
};

/** A mail with the address of a report that a schedule has made. */
export type ReportNotice = {
  kind: "report";
  id: string;
  account_id: number;
  to: string;
  title: string;
  /** As the reader of the report has them. */
  range: string;
  /** Behind `/api-v2`; whoever has it gets the file. */
  path: string;
};

export type Notice = ServiceNotice | EventNotice | ReportNotice;
