import type { Map as MapView } from "maplibre-gl";
import { STATUS_COLORS, STATUSES, type Status } from "../live/status.ts";

const SIZE = 60;
const CENTER = SIZE / 2;
const RADIUS = 21;

/** Adds an icon for each status, drawn at twice the size of the screen's pixels. */
export function addIcons(map: MapView) {
  for (const status of STATUSES) map.addImage(status, draw(status), { pixelRatio: 2 });
}

function draw(status: Status): ImageData {
  const canvas = new OffscreenCanvas(SIZE, SIZE);
  // Read back at once: a graphics card that is busy with the map would make the page wait.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot draw.");
  context.shadowColor = "rgb(0 0 0 / 35%)";
  context.shadowBlur = 5;
  context.shadowOffsetY = 1;
  context.fillStyle = STATUS_COLORS[status];
  outline(context, status);
  context.fill();
  context.shadowColor = "transparent";
  context.strokeStyle = "#fff";
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.stroke();
  context.lineWidth = 5;
  context.lineCap = "round";
  context.fillStyle = "#fff";
  mark(context, status);
  return context.getImageData(0, 0, SIZE, SIZE);
}

/** An arrow for what moves, which the map turns by the heading; a disc for everything else. */
function outline(context: OffscreenCanvasRenderingContext2D, status: Status) {
  context.beginPath();
  if (status !== "moving") return context.arc(CENTER, CENTER, RADIUS - 2, 0, 2 * Math.PI);
  context.moveTo(CENTER, 5);
  context.lineTo(CENTER + 20, 51);
  context.lineTo(CENTER, 42);
  context.lineTo(CENTER - 20, 51);
  context.closePath();
}

function mark(context: OffscreenCanvasRenderingContext2D, status: Status) {
  const lines: Partial<Record<Status, [number, number, number, number][]>> = {
    stopped: [
      [-5, -7, -5, 7],
      [5, -7, 5, 7],
    ],
    offline: [
      [-7, -7, 7, 7],
      [7, -7, -7, 7],
    ],
    blocked: [[-9, 0, 9, 0]],
    noSatellites: [
      [0, -9, 0, 1],
      [0, 9, 0, 9],
    ],
  };
  for (const [x1, y1, x2, y2] of lines[status] ?? []) {
    context.beginPath();
    context.moveTo(CENTER + x1, CENTER + y1);
    context.lineTo(CENTER + x2, CENTER + y2);
    context.stroke();
  }
  if (status !== "parked") return;
  context.font = "bold 26px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("P", CENTER, CENTER + 1);
}
