import { writeLocal } from "#shared/time/clock.ts";
import { type Motion, ZONE } from "./circuit.ts";
import type { FleetVehicle } from "./vehicles.ts";

/** The names under which the demo's devices send what their sensors measure. */
export const FUEL_INPUT = "lls_level_1";
export const TEMPERATURE_INPUT = "ext_temp_sensor_1";
/** The number of the input that is on while the engine runs. */
export const IGNITION_INPUT = 1;

const COOLED_TO_CELSIUS = 4;
const WARMER_PER_OPEN_MINUTE = 0.45;
const COOLED_PER_MINUTE = 0.6;
const WARMEST_CELSIUS = 10;

/** The inputs and attributes of a point: computed from motion and time, so that a point that is sent again is the same. */
export function readingsAt(vehicle: FleetVehicle, motion: Motion, time: number) {
  // Drivers let the engine idle for their first minutes at a stop.
  const isRunning = motion.stop === undefined || (motion.seconds < 7 * 60 && motion.stop > 0);
  const attributes = {
    ...(vehicle.tank && { [FUEL_INPUT]: round(vehicle.tank * fuelShareAt(time)) }),
    ...(vehicle.isRefrigerated && { [TEMPERATURE_INPUT]: round(temperatureOf(motion, vehicle)) }),
  };
  return { inputs: [isRunning], attributes };
}

/** Fuel is used between 6 and 18 o'clock, and filled in at noon; at 6 there is as much as at 18 o'clock. */
function fuelShareAt(time: number) {
  const local = writeLocal(time, ZONE);
  const hour = Number(local.slice(11, 13)) + Number(local.slice(14, 16)) / 60;
  if (hour < 6 || hour >= 18) return 0.55;
  return hour < 12 ? 0.55 - ((hour - 6) / 6) * 0.3 : 0.85 - ((hour - 12) / 6) * 0.3;
}

/** The box becomes warmer while its door is open at a customer, and cools down on the way to the next one. */
function temperatureOf({ seconds, stop }: Motion, { circuit }: FleetVehicle) {
  const minutes = seconds / 60;
  if (stop === 0) return COOLED_TO_CELSIUS;
  if (stop !== undefined) return Math.min(WARMEST_CELSIUS, COOLED_TO_CELSIUS + minutes * WARMER_PER_OPEN_MINUTE);
  const warmest = COOLED_TO_CELSIUS + Math.max(...circuit.minutes.slice(1)) * WARMER_PER_OPEN_MINUTE;
  return Math.max(COOLED_TO_CELSIUS, Math.min(WARMEST_CELSIUS, warmest) - minutes * COOLED_PER_MINUTE);
}

function round(value: number) {
  return Math.round(value * 10) / 10;
}
