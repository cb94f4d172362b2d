/** The device of a tracker as fleet sends it to geo after every change. */
export type Device = {
  tracker_id: number;
  account_id: number;
  source_id: number;
  device_id: string;
  model: string;
  blocked: boolean;
  /** The device was removed for good; it may be registered anew. */
  removed?: true;
  revision: number;
};
