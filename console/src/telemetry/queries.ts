import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { call } from "../session/api.ts";

export type Sensor = Schemas["Sensor"];
export type NewSensor = Schemas["NewSensor"];
export const COUNTER_TYPES = ["odometer", "engine_hours", "fuel_consumed"] as const;
export type CounterType = (typeof COUNTER_TYPES)[number];

/** The beginning of the keys of all calls about a tracker's sensors and counters. */
function keyOf(tracker_id: number) {
  return ["tracker", "telemetry", tracker_id];
}

export function sensorsQuery(tracker_id: number) {
  return queryOptions({
    queryKey: [...keyOf(tracker_id), "sensors"],
    queryFn: async ({ signal }) => (await call("/tracker/sensor/list", { tracker_id }, { signal })).list,
  });
}

/** The calibration curve of a measuring sensor. */
export function curveQuery(tracker_id: number, sensor_id: number) {
  return queryOptions({
    queryKey: [...keyOf(tracker_id), "curve", sensor_id],
    queryFn: async ({ signal }) =>
      (await call("/tracker/sensor/calibration_data/read", { tracker_id, sensor_id }, { signal })).value,
  });
}

/** The names by which devices usually send values. */
export const inputNamesQuery = queryOptions({
  queryKey: ["tracker", "sensor", "input names"],
  queryFn: async ({ signal }) => (await call("/tracker/sensor/input_name/list", {}, { signal })).list,
  staleTime: Number.POSITIVE_INFINITY,
});

export function countersQuery(tracker_id: number) {
  return queryOptions({
    queryKey: [...keyOf(tracker_id), "counters"],
    queryFn: async ({ signal }) => (await call("/tracker/get_counters", { tracker_id }, { signal })).list,
  });
}

/** Changes something of a tracker's sensors or counters; what the page shows of them is read again. */
export function useTelemetryChange<Given>(tracker_id: number, change: (given: Given) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(tracker_id) });
      await queries.invalidateQueries({ queryKey: ["tracker", "readings", tracker_id] });
    },
  });
}
