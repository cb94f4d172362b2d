/** What fleet tells geo of a device whenever it changes. */
export type Device = {
  tracker_id: number;
  account_id: number;
  source_id: number;
  device_id: string;
  model: string;
  blocked: boolean;
  /** For good: the device is nobody's, until somebody registers it anew. */
  removed?: true;
  revision: number;
};
