import type { GraphOptions } from "../../definition/parameters.ts";
import { type Chart, createLineChart, Trace } from "../../layout/chart.ts";
import type { Writer } from "../../layout/writer.ts";
import type { FuelSample } from "../../series/fuel.ts";

/** Charts besides that of the level; distance is drawn over time only. */
export type PlotOptions = GraphOptions & { include_mileage_plot: boolean; include_speed_plot: boolean };

/** Collects the chart of a tank's level, and the wanted ones beside it, while readings are read. */
export class FuelPlots {
  readonly #options: PlotOptions;
  readonly #writer: Writer;
  readonly #level = new Trace();
  readonly #speed = new Trace();
  readonly #way = new Trace();

  constructor(options: PlotOptions, writer: Writer) {
    this.#options = options;
    this.#writer = writer;
  }

  add({ level, point: { time, speed }, meters }: FuelSample) {
    const { inUnit, volumeInUnit } = this.#writer;
    const way = inUnit(meters / 1000);
    const across = this.#options.graph_type === "time" ? time : way;
    this.#level.add(across, volumeInUnit(level));
    this.#speed.add(across, inUnit(speed));
    this.#way.add(time, way);
  }

  charts(name: string): Chart[] {
    const { words, distanceTitle, speedTitle, volumeTitle } = this.#writer;
    const { graph_type: axis, smoothing: isSmooth, include_speed_plot, include_mileage_plot } = this.#options;
    const chart = (title: string, trace: Trace) =>
      createLineChart({ title: `${name}: ${title.replace("\n", " ")}`, trace, axis, isSmooth }, this.#writer);
    return [
      ...chart(volumeTitle(words("level", "Füllstand")), this.#level),
      ...(include_speed_plot ? chart(speedTitle(words("speed", "Geschwindigkeit")), this.#speed) : []),
      ...(include_mileage_plot && axis === "time" ? chart(distanceTitle(words("mileage", "Strecke")), this.#way) : []),
    ];
  }
}
