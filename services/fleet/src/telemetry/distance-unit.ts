type Unit = { name: string; kilometers: number };

/** The unit of distances in documents; kilometers unless the measurement system has another one. */
export function distanceUnitOf(measurement_system: string): Unit {
  return UNITS[measurement_system] ?? KILOMETER;
}

export function toUnit(kilometers: number, unit: Unit) {
  return roundToHundredths(kilometers / unit.kilometers);
}

export function roundToHundredths(value: number) {
  return Math.round(value * 100) / 100;
}

const KILOMETER: Unit = { name: "km", kilometers: 1 };
const MILE: Unit = { name: "mi", kilometers: 1.609344 };
const UNITS: Record<string, Unit> = { imperial: MILE, us: MILE, nautical: { name: "nmi", kilometers: 1.852 } };
