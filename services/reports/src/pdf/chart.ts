import type { Axis, BarChart, Chart, LineChart } from "../layout/chart.ts";
import { A4_LANDSCAPE, type Color, type Drawing, type Paper, RIGHT } from "./paper.ts";
import type { Type } from "./typesetter.ts";

/** Draws a chart with lines and rectangles. */
export function drawChart(chart: Chart): Drawing {
  return chart.kind === "line"
    ? {
        height: TITLE_HEIGHT + LINE_HEIGHT + FOOT,
        texts: textsOf(chart),
        draw: (paper, y) => drawLine(chart, paper, y),
      }
    : {
        height: TITLE_HEIGHT + chart.bars.length * BAR + GAP,
        texts: textsOf(chart),
        draw: (paper, y) => drawBars(chart, paper, y),
      };
}

function textsOf(chart: Chart): string[] {
  if (chart.kind === "bars") return [chart.title, ...chart.bars.flatMap(({ name, text }) => [name, text])];
  return [chart.title, ...[chart.across, chart.up].flatMap(({ marks }) => marks.map(({ text }) => text))];
}

function drawLine({ title, across, up, points }: LineChart, paper: Paper, top: number) {
  drawTitle(title, paper, top);
  const box = {
    left: A4_LANDSCAPE.margin + AXIS,
    right: RIGHT - AXIS,
    top: top + TITLE_HEIGHT,
    bottom: top + TITLE_HEIGHT + LINE_HEIGHT,
  };
  const x = createScale(across, box.left, box.right);
  const y = createScale(up, box.bottom, box.top);
  for (const { at, text } of up.marks) {
    paper.rule(box.left, box.right, y(at), 0.85);
    drawText(text, { x: box.left - 4, y: y(at) - 5, align: 1 }, paper);
  }
  for (const { at, text } of across.marks) {
    paper.stroke(
      [
        [x(at), box.bottom],
        [x(at), box.bottom + 3],
      ],
      { width: 0.5, color: AXIS_COLOR },
    );
    drawText(text, { x: x(at), y: box.bottom + 4, align: 0.5 }, paper);
  }
  paper.stroke(
    [
      [box.left, box.top],
      [box.left, box.bottom],
      [box.right, box.bottom],
    ],
    { width: 0.5, color: AXIS_COLOR },
  );
  paper.stroke(
    points.map(([across, up]) => [x(across), y(up)]),
    { width: 1, color: VALUE_COLOR },
  );
}

function drawBars({ title, bars }: BarChart, paper: Paper, top: number) {
  drawTitle(title, paper, top);
  const left = A4_LANDSCAPE.margin + NAMES;
  for (const [index, { name, text, share }] of bars.entries()) {
    const y = top + TITLE_HEIGHT + index * BAR;
    const [line] = paper.setter.linesOf(name, NAMES - GAP, TEXT);
    if (line) paper.draw(line, { x: A4_LANDSCAPE.margin, y }, TEXT);
    const width = Math.max(1, share * (RIGHT - VALUES - left));
    paper.fill({ x: left, y: y + 1, width, height: BAR - 4 }, VALUE_COLOR);
    drawText(text, { x: left + width + 4, y, align: 0 }, paper);
  }
}

function drawTitle(title: string, paper: Paper, top: number) {
  const [line] = paper.setter.linesOf(title, RIGHT - A4_LANDSCAPE.margin, TITLE);
  if (line) paper.draw(line, { x: A4_LANDSCAPE.margin, y: top + 4 }, TITLE);
}

/** `align` is the share of the text's width to the left of `x`. */
function drawText(text: string, { x, y, align }: { x: number; y: number; align: number }, paper: Paper) {
  const line = paper.setter.lineOf(text, false);
  paper.draw(line, { x: x - (align * line.width * TEXT.size) / 1000, y }, TEXT);
}

function createScale({ min, max }: Axis, from: number, to: number) {
  return (value: number) => from + ((value - min) / (max - min)) * (to - from);
}

const TITLE: Type = { size: 9, bold: true };
const TEXT: Type = { size: 7, bold: false };
const AXIS_COLOR: Color = [0.4, 0.4, 0.4];
const VALUE_COLOR: Color = [0.12, 0.38, 0.68];
/** Sizes are in points. */
const TITLE_HEIGHT = 22;
const LINE_HEIGHT = 120;
const FOOT = 24;
const AXIS = 40;
const BAR = 13;
const NAMES = 160;
const VALUES = 60;
const GAP = 12;
