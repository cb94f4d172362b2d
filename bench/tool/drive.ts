import { MINUTE_MS } from "#shared/time/duration.ts";

/** A point as `/ingest/points` takes it. */
export type IngestPoint = {
  time: string;
  lat: number;
  lng: number;
  speed: number;
  heading: number;
  alt: number;
  satellites: number;
};

/**
 * A van's points, one every `stepMs` from `startMs` on, the same in every run: by day it drives and delivers, by night
 * it is parked. What a receiver adds is in it: places that jitter, satellites that come and go.
 */
export function newDrive(seed: number, startMs: number, stepMs: number): () => IngestPoint {
  const random = randomOf(seed);
  let time = startMs - stepMs;
  let lat = 48.137 + spread(0.2);
  let lng = 11.575 + spread(0.2);
  let heading = random() * 360;
  let speed = 0;
  let alt = 520;
  let satellites = 10;
  return next;

  function next(): IngestPoint {
    time += stepMs;
    if (isDriving(time)) drive();
    else speed = 0;
    satellites = clamp(satellites + Math.round(spread(0.8)), 6, 14);
    return {
      time: new Date(time).toISOString(),
      lat: round(lat + spread(JITTER_DEGREES), 1e6),
      lng: round(lng + spread(JITTER_DEGREES), 1e6),
      speed: round(speed, 10),
      heading: Math.round(heading) % 360,
      alt: Math.round(alt + spread(3)),
      satellites,
    };
  }

  function drive() {
    speed = clamp(speed + spread(25), 5, 110);
    // Along a road for a while, then round a corner; never far from where it belongs.
    heading = (heading + spread(8) + (random() < 0.2 ? spread(90) : 0) + homeward() + 720) % 360;
    const meters = (speed / 3.6) * (stepMs / 1000);
    lat += (meters * Math.cos(heading * RADIANS)) / METERS_PER_DEGREE;
    lng += (meters * Math.sin(heading * RADIANS)) / (METERS_PER_DEGREE * Math.cos(lat * RADIANS));
    alt = clamp(alt + spread(6), 400, 800);
  }

  function homeward() {
    const [north, east] = [48.137 - lat, (11.575 - lng) * Math.cos(lat * RADIANS)];
    if (Math.hypot(north, east) < 0.4) return 0;
    const wanted = Math.atan2(east, north) / RADIANS;
    return (((wanted - heading + 540) % 360) - 180) / 2;
  }

  function spread(width: number) {
    return (random() + random() - 1) * width;
  }
}

/** Whether the van drives: from six to six, for 40 minutes of each hour; the other 20 it stands at a customer's. */
function isDriving(time: number) {
  const minute = (time / MINUTE_MS) % 1440;
  return minute >= 360 && minute < 1080 && minute % 60 < 40;
}

/** Mulberry32: small, and even enough for a van. */
function randomOf(seed: number): () => number {
  let state = seed;
  return function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function clamp(value: number, least: number, most: number) {
  return Math.min(Math.max(value, least), most);
}

function round(value: number, scale: number) {
  return Math.round(value * scale) / scale;
}

const RADIANS = Math.PI / 180;
const METERS_PER_DEGREE = 111_320;
/** The jitter of a receiver: some three meters. */
const JITTER_DEGREES = 3e-5;
