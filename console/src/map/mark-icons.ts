import type { Map as MapView } from "maplibre-gl";

const SIZE = 60;
const CENTER = SIZE / 2;

export type MarkIcon = "event" | "checkin";

const COLORS: Record<MarkIcon, string> = { event: "#a61e4d", checkin: "#0b7285" };

/** Adds the icons of events (a diamond with an exclamation mark) and check-ins (a square with a tick). */
export function addMarkIcons(map: MapView) {
  for (const icon of ["event", "checkin"] as const) map.addImage(icon, draw(icon), { pixelRatio: 2 });
}

function draw(icon: MarkIcon): ImageData {
  // Read back at once: a graphics card that is busy with the map would make the page wait.
  const context = new OffscreenCanvas(SIZE, SIZE).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot draw.");
  context.fillStyle = COLORS[icon];
  context.strokeStyle = "#fff";
  context.lineJoin = "round";
  context.lineCap = "round";
  outline(context, icon);
  context.fill();
  context.lineWidth = 4;
  context.stroke();
  context.lineWidth = 5;
  sign(context, icon);
  return context.getImageData(0, 0, SIZE, SIZE);
}

function outline(context: OffscreenCanvasRenderingContext2D, icon: MarkIcon) {
  context.beginPath();
  if (icon === "checkin") return context.roundRect(10, 10, 40, 40, 10);
  context.moveTo(CENTER, 5);
  context.lineTo(55, CENTER);
  context.lineTo(CENTER, 55);
  context.lineTo(5, CENTER);
  context.closePath();
}

function sign(context: OffscreenCanvasRenderingContext2D, icon: MarkIcon) {
  context.beginPath();
  if (icon === "checkin") {
    context.moveTo(20, 31);
    context.lineTo(27, 38);
    context.lineTo(40, 22);
  } else {
    context.moveTo(CENTER, 19);
    context.lineTo(CENTER, 31);
    context.moveTo(CENTER, 41);
    context.lineTo(CENTER, 41);
  }
  context.stroke();
}
