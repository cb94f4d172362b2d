import { hop } from "./hops.ts";

/** The same bindings; each call of another Worker or of a Durable Object by them is a hop. */
export function withCountedLinks<Env extends object>(env: Env): Env {
  const known = counted.get(env);
  if (known) return known as Env; // it was made of this one
  const bindings = Object.entries(env).map(([name, binding]) => [name, linkOf(binding)]);
  const links: Env = Object.fromEntries(bindings);
  counted.set(env, links);
  return links;
}

/** The runtime's bindings say what they are by the names of their classes alone. */
function linkOf(binding: unknown): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  const kind = binding.constructor?.name;
  if (kind === "Fetcher") return countedCalls(binding);
  return kind === "DurableObjectNamespace" ? countedObjects(binding as DurableObjectNamespace) : binding; // by its name
}

function countedObjects(namespace: DurableObjectNamespace) {
  return { getByName: (name: string) => countedCalls(namespace.getByName(name)) };
}

type RpcStub = Record<string, (...given: unknown[]) => Promise<unknown>>;

function countedCalls<Stub extends object>(stub: Stub): Stub {
  return new Proxy(stub, {
    get(target, name) {
      // It is waited for where an asynchronous function answers it: that is no call.
      if (typeof name === "symbol" || name === "then") return Reflect.get(target, name);
      const methods = target as RpcStub; // a stub has nothing but methods
      return (...given: unknown[]) => hop(async () => methods[name]?.(...given));
    },
  });
}

const counted = new WeakMap<object, object>();
