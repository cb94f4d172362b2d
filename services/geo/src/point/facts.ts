/** What a device tells beside its points. */
export type Facts = {
  /** By the device's clock. */
  time?: number;
  battery_level?: number;
  /** Names and values as the device sent them, for instance `hardware_key`. */
  additional?: Record<string, string>;
};
