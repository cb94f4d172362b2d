import { hop } from "./hops.ts";
import { addRequestId } from "./request-id.ts";

/** The bindings; calls of Workers and Durable Objects count as hops, and calls of Workers carry the request id. */
export function withCountedLinks<Env extends object>(env: Env): Env {
  const known = counted.get(env);
  if (known) return known as Env; // it was made of this one
  const bindings = Object.entries(env).map(([name, binding]) => [name, linkOf(binding)]);
  const links: Env = Object.fromEntries(bindings);
  counted.set(env, links);
  counted.set(links, links);
  return links;
}

/** Bindings are recognised by their class names; the runtime offers nothing else. */
function linkOf(binding: unknown): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  const kind = binding.constructor?.name;
  if (kind === "Fetcher") return countedCalls(binding, addRequestId);
  return kind === "DurableObjectNamespace" ? countedObjects(binding as DurableObjectNamespace) : binding; // by its name
}

function countedObjects(namespace: DurableObjectNamespace) {
  return { getByName: (name: string) => countedCalls(namespace.getByName(name)) };
}

type RpcStub = Record<string, (...given: unknown[]) => Promise<unknown>>;

function countedCalls<Stub extends object>(stub: Stub, toArguments: typeof addRequestId = (_, given) => given): Stub {
  return new Proxy(stub, {
    get(target, name) {
      // Returning the stub from an async function reads `then`: that is not a call.
      if (typeof name === "symbol" || name === "then") return Reflect.get(target, name);
      const methods = target as RpcStub; // a stub has nothing but methods
      return (...given: unknown[]) => hop(async () => methods[name]?.(...toArguments(name, given)));
    },
  });
}

const counted = new WeakMap<object, object>();
