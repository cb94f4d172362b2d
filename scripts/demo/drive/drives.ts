import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SECOND_MS } from "#shared/time/duration.ts";
import { ROOT } from "../../workers.ts";

export type Position = { lat: number; lng: number };
/** A recorded drive: the position of the car at each second. */
export type Drive = Position[];
export type DriveName = "munich" | "istria";
export type Drives = Record<DriveName, Drive>;

/** The longest step of a second: no car is faster. */
const MAX_STEP_DEGREES = 0.001;
const SECONDS_AROUND_JUMP = 12;

type TimedPosition = Position & { time: number };

const TRACKS = join(ROOT, "test", "fixtures", "tracks");

/** Reads the two recorded drives. Their sources and licences are in test/fixtures/SOURCES.md. */
export async function readDrives(): Promise<Drives> {
  const [munich, istria] = await Promise.all([
    readFile(join(TRACKS, "car-drive-every-second.json"), "utf8"),
    readFile(join(TRACKS, "car-drive.gpx"), "utf8"),
  ]);
  return { munich: spreadJumps(toSeconds(parseJson(munich))), istria: spreadJumps(toSeconds(parseGpx(istria))) };
}

function parseJson(text: string): TimedPosition[] {
  const recorded: { point: string; time: string }[] = JSON.parse(text);
  return recorded.map(({ point, time }) => {
    // The two members look like "POINT(11.56 48.16)" and "2014-09-10 06:54:07+0200".
    const [lng = 0, lat = 0] = point
      .replace(/[^0-9. -]/g, "")
      .split(" ")
      .map(Number);
    return { lat, lng, time: Date.parse(time.replace(" ", "T").replace(/(\d\d)$/, ":$1")) };
  });
}

function parseGpx(text: string): TimedPosition[] {
  const points = text.matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)">.*?<time>([^<]+)<\/time>/gs);
  return [...points].map(([, lat, lng, time = ""]) => ({ lat: Number(lat), lng: Number(lng), time: Date.parse(time) }));
}

/** Fills the seconds between two recorded positions with positions on the straight line between them. */
function toSeconds(recorded: TimedPosition[]): Drive {
  const drive: Drive = [];
  for (const [index, start] of recorded.entries()) {
    const end = recorded[index + 1] ?? { ...start, time: start.time + SECOND_MS };
    const seconds = Math.round((end.time - start.time) / SECOND_MS);
    for (let second = 0; second < seconds; second++) drive.push(between(start, end, second / seconds));
  }
  return drive;
}

/** Where the receiver found its satellites again the position jumps: there the car drives straight on for some seconds. */
function spreadJumps(drive: Drive): Drive {
  const smooth = [...drive];
  for (const [index, position] of drive.entries()) {
    const next = drive[index + 1] ?? position;
    if (Math.hypot(next.lat - position.lat, next.lng - position.lng) < MAX_STEP_DEGREES) continue;
    const first = Math.max(0, index - SECONDS_AROUND_JUMP);
    const last = Math.min(drive.length - 1, index + 1 + SECONDS_AROUND_JUMP);
    const [start, end] = [drive[first] ?? position, drive[last] ?? next];
    for (let second = first; second < last; second++) {
      smooth[second] = between(start, end, (second - first) / (last - first));
    }
  }
  return smooth;
}

function between(start: Position, end: Position, share: number): Position {
  return { lat: start.lat + (end.lat - start.lat) * share, lng: start.lng + (end.lng - start.lng) * share };
}
