/** Settings of a system whose cost is counted. */
export const COUNTED_SYSTEM = {
  /** The clock of the Workers that count jumps: streams of databases would seem to be old. */
  DB_STREAMS: "0",
  /** Sweeps alone deliver changes and events: what is delivered behind an answer would belong to a later count. */
  AUDIT_DELAY_SECONDS: "3600",
};
