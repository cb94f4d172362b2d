// Stands in front of a Worker's bundle, in its isolate: a request for /clock/<seconds> moves the clock of its data, as
// CLOCK_OFFSET_SECONDS does for Workers that are started with it. No bundler sees this.
import { env } from "cloudflare:workers";
import * as bundle from "./index.js";

export * from "./index.js";

let seconds = Number(env.CLOCK_OFFSET_SECONDS);
// Read as a number each time: bindings are copied when a Worker or an object begins.
env.CLOCK_OFFSET_SECONDS = { valueOf: () => seconds };

function moveClock(request) {
  const [, what, given] = new URL(request.url).pathname.split("/");
  if (what !== "clock") return undefined;
  seconds = Number(given);
  return Response.json(null);
}

const { default: worker } = bundle;

export default typeof worker === "function"
  ? class extends worker {
      fetch(request) {
        return moveClock(request) ?? super.fetch(request);
      }
    }
  : { ...worker, fetch: (request, ...context) => moveClock(request) ?? worker.fetch(request, ...context) };
