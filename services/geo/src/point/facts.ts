/** Values that a device sends besides points. */
export type Facts = {
  /** UTC milliseconds by the device's clock. */
  time: number;
  battery_level?: number;
  /** Names and values as the device sent them, for instance `hardware_key`. */
  additional?: Record<string, string>;
};
