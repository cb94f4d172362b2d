import { type Gauge, gaugeValue } from "./sensor.ts";

type Attributes = Record<string, unknown> | null;

/** Reads a gauge point by point. A composite sensor uses the last known values of its parts. */
export class GaugeReader {
  readonly gauge: Gauge;
  /** Names of the attributes that the gauge is computed from; none for a discrete sensor. */
  readonly inputs: string[];
  #lastValues = new Map<string, unknown>();

  constructor(gauge: Gauge) {
    this.gauge = gauge;
    this.inputs = [...new Set(inputsOf(gauge))];
  }

  /** Reads a point's attributes; false: none of them is an input of the gauge. */
  read(attributes: Attributes): boolean {
    let isNew = false;
    for (const name of this.inputs) {
      const attribute = attributes?.[name];
      if (attribute === undefined) continue;
      this.#lastValues.set(name, attribute);
      isNew = true;
    }
    return isNew;
  }

  /** The last value of an input, as the device sent it. */
  lastOf(input: string): unknown {
    return this.#lastValues.get(input);
  }

  /** The value of a measuring sensor by the last values of its inputs. */
  value(): number | null {
    return gaugeValue(this.gauge, (name) => this.#lastValues.get(name));
  }
}

function inputsOf({ sensor, parts }: Gauge): string[] {
  if (parts.length > 0) return parts.map((part) => part.sensor.input_name);
  return sensor.type === "discrete" ? [] : [sensor.input_name];
}
