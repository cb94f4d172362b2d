/** A mail about a service task. Fleet sends the data; the gateway writes the text. */
export type ServiceNotice = {
  /** Unique: a notice that is delivered twice becomes one mail. */
  id: string;
  account_id: number;
  to: string;
  status: "notified" | "expired";
  vehicle_label: string;
  description: string;
  comment: string;
  /**
   * Limits of the task: kilometers and engine hours by the counters, a moment in UTC milliseconds; null: no such limit.
   */
  end: { mileage: number | null; engine_hours: number | null; date: number | null };
};

/** A mail about an event of a rule. */
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

/** A mail with a link to a report that a schedule made. */
export type ReportNotice = {
  kind: "report";
  id: string;
  account_id: number;
  to: string;
  title: string;
  /** The report's range in the recipient's language and time zone. */
  range: string;
  /** The download path behind `/api-v2`; it opens the file without a hash. */
  path: string;
};

/** A mail about a webhook that the system has disabled. */
export type WebhookNotice = {
  kind: "webhook";
  id: string;
  account_id: number;
  to: string;
  /** The label of the webhook, or its host. */
  label: string;
  reason: "gone" | "failing";
};

export type Notice = ServiceNotice | EventNotice | ReportNotice | WebhookNotice;
