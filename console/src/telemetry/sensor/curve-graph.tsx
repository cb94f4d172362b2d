import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { useFormat } from "../../session/user.tsx";
import styles from "./curve.module.css";
import { type Bend, calibrate } from "./formula.ts";
import "uplot/dist/uPlot.min.css";

const HEIGHT_PX = 260;
const COLORS = {
  light: { text: "#495057", grid: "#dee2e6", line: "#1864ab", present: "#c2255c" },
  dark: { text: "#c9c9c9", grid: "#424242", line: "#74c0fc", present: "#ff8ab0" },
};

type CurveGraphProps = {
  label: string;
  curve: readonly Bend[];
  /** The present value of the device, before the curve. */
  present: number | null;
};

/** The curve as a line, with a mark at the present value. */
export function CurveGraph({ label, curve, present }: CurveGraphProps) {
  const container = useRef<HTMLDivElement>(null);
  const graph = useRef<UPlot>(undefined);
  const latest = useRef({ curve, present });
  latest.current = { curve, present };
  const theme = useComputedColorScheme("light");
  const format = useFormat();
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const data = dataOf(latest.current.curve, latest.current.present);
    const plot = new UPlot(
      optionsOf(element.clientWidth, theme, (value) => format.number(value, 3)),
      data,
      element,
    );
    graph.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      graph.current = undefined;
    };
  }, [theme, format]);
  useEffect(() => graph.current?.setData(dataOf(curve, present)), [curve, present]);
  return <div ref={container} className={styles.graph} role="img" aria-label={label} />;
}

function optionsOf(width: number, theme: keyof typeof COLORS, show: (value: number) => string): UPlot.Options {
  const { text, grid, line, present } = COLORS[theme];
  const axis = {
    ...{ stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } },
    ...{ font: "11px system-ui, sans-serif", values: (_: UPlot, values: number[]) => values.map(show) },
  };
  return {
    ...{ width, height: HEIGHT_PX, legend: { show: false }, cursor: { show: false }, padding: [12, 18, 0, 0] },
    scales: { x: { time: false } },
    axes: [
      { ...axis, space: 60 },
      { ...axis, size: 60, space: 36 },
    ],
    series: [
      {},
      { stroke: line, width: 2, points: { show: true, size: 7, fill: line, stroke: line } },
      { stroke: present, width: 0, points: { show: true, size: 14, fill: `${present}55`, stroke: present, width: 2 } },
    ],
  };
}

/** The line goes as far as the present value: the system, too, goes on beyond the ends of a curve. */
function dataOf(curve: readonly Bend[], present: number | null): UPlot.AlignedData {
  const marks = present === null || curve.some((bend) => bend.in === present) ? [] : [present];
  const values = [...curve.map((bend) => bend.in), ...marks].toSorted((one, other) => one - other);
  const results = values.map((value) => calibrate(value, curve));
  return [values, results, results.map((result, index) => (values[index] === present ? result : null))];
}
