// Stands in front of a Worker's bundle, in its isolate: what calls a Durable Object gets there so much later. No bundler sees
// this.

let awayMs = 0;

/** The class, whose objects are as far away as was said last. */
export function away(Base) {
  class Away extends Base {}
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Base.prototype))) {
    // What an object does by itself is not on its way there.
    if (name === "constructor" || name === "alarm" || typeof value !== "function") continue;
    Away.prototype[name] = async function (...given) {
      if (awayMs > 0) await new Promise((resolve) => setTimeout(resolve, awayMs));
      return value.apply(this, given);
    };
  }
  return Away;
}

/** Answers `/objects-away/<milliseconds>`, which holds from then on, with how long the way takes; undefined for other requests. */
export function heard({ url }) {
  const said = /\/objects-away\/(\d+)$/.exec(url);
  if (!said) return undefined;
  awayMs = Number(said[1]);
  return wayMs().then(Response.json);
}

/** A timer ends later than it should. */
async function wayMs() {
  const begun = Date.now();
  for (let way = 0; way < WAYS; way++) await new Promise((resolve) => setTimeout(resolve, awayMs));
  return (Date.now() - begun) / WAYS;
}

const WAYS = 20;
