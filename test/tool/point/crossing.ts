/**
 * The methods of an entrypoint or a Durable Object whose results another Worker gets as something else, or not at all:
 * functions and objects with methods do not cross. The types of the runtime know what does.
 */
export type Uncrossable<Entrypoint extends object> = {
  [Method in Exclude<keyof Entrypoint, Brand>]-?: Entrypoint[Method] extends (...parameters: never) => infer Result
    ? Crosses<AsJson<Awaited<Result>>> extends true
      ? never
      : Method
    : never;
}[Exclude<keyof Entrypoint, Brand>];

/** Marks entrypoints in the types of the runtime. It has no type of its own and would look like a method. */
type Brand = `__${string}`;

type Crosses<Value> = [Rpc.Result<Value>] extends [never]
  ? false
  : Awaited<Rpc.Result<Value>> extends Value
    ? true
    : false;

/** Members of unknown type stand for JSON, which crosses; the types of the runtime take them for anything. */
type AsJson<Value> = unknown extends Value
  ? string
  : Value extends Whole
    ? Value
    : { [Member in keyof Value]: AsJson<Value[Member]> };
type Whole = Response | Uint8Array | Map<unknown, unknown> | ((...parameters: never) => unknown);
