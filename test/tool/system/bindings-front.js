// Stands in front of a Worker's bundle, in its isolate: a request to /change-bindings changes values of the Worker's
// `env`, which calls, and objects that begin later, read from then on. No bundler sees this.
import { env as imported } from "cloudflare:workers";
import * as bundle from "./index.js";

export * from "./index.js";

let seconds = Number(imported.CLOCK_OFFSET_SECONDS);
// Objects that run already have a copy of `env` each: the clock is read as a number each time, so that theirs moves too.
imported.CLOCK_OFFSET_SECONDS = { valueOf: () => seconds };

/** What calls get as `env` once something was changed: the runtime keeps a copy for each class, which nobody can reach. */
let changed;

async function changeBindings(request) {
  const { CLOCK_OFFSET_SECONDS = seconds, ...bindings } = await request.json();
  seconds = Number(CLOCK_OFFSET_SECONDS);
  // Objects that begin later get a copy of this one.
  Object.assign(imported, bindings);
  changed = { ...imported };
  return Response.json(null);
}

const withChanges = (Entrypoint) =>
  class extends Entrypoint {
    constructor(context, env) {
      super(context, changed ?? env);
    }
  };

const { default: worker } = bundle;
const isChange = ({ url }) => new URL(url).pathname === "/change-bindings";

export default typeof worker === "function"
  ? class extends withChanges(worker) {
      fetch(request) {
        return isChange(request) ? changeBindings(request) : super.fetch(request);
      }
    }
  : {
      ...worker,
      fetch: (request, env, context) =>
        isChange(request) ? changeBindings(request) : worker.fetch(request, changed ?? env, context),
      scheduled: (event, env, context) => worker.scheduled(event, changed ?? env, context),
    };
