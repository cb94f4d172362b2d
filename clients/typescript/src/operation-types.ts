import type { components, paths } from "./api.d.ts";

/** Schemas of the API by their names: `Schemas["Vehicle"]`. */
export type Schemas = components["schemas"];

type Json<Described> = Described extends { content: { "application/json": infer Content } } ? Content : never;
type Operation<Path extends keyof paths> = paths[Path] extends { post: infer Post } ? Post : never;
type SuccessOf<Described> = Described extends { responses: { 200: infer Success } } ? Json<Success> : never;
type BodyOf<Described> = Described extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;

/** Operations that answer JSON. */
export type CallPath = { [Path in keyof paths]: SuccessOf<Operation<Path>> extends never ? never : Path }[keyof paths];

/** Operations that answer a file, whatever else they answer. */
export type FilePath = {
  [Path in keyof paths]: Operation<Path> extends { responses: { 200: { content: infer Content } } }
    ? Exclude<keyof Content, "application/json"> extends never
      ? never
      : Path
    : never;
}[keyof paths];

/** The parameters of an operation. */
export type Parameters<Path extends keyof paths> =
  BodyOf<Operation<Path>> extends never ? Record<string, never> : BodyOf<Operation<Path>>;

/** The reply of an operation without `success`: a refusal is thrown. */
export type Reply<Path extends CallPath> = Omit<SuccessOf<Operation<Path>>, "success">;

/** Operations that answer a list in pages. */
export type PagePath = {
  [Path in CallPath]: BodyOf<Operation<Path>> extends { offset?: unknown; limit?: unknown }
    ? SuccessOf<Operation<Path>> extends { list: unknown[] }
      ? Path
      : never
    : never;
}[CallPath];

/** An item of the list that an operation answers. */
export type Item<Path extends PagePath> = SuccessOf<Operation<Path>> extends { list: (infer One)[] } ? One : never;

/** The arguments behind a path: parameters may be left out where none are required. */
export type CallArguments<Path extends keyof paths, Options> =
  Record<string, never> extends Parameters<Path>
    ? [parameters?: Parameters<Path>, options?: Options]
    : [parameters: Parameters<Path>, options?: Options];
