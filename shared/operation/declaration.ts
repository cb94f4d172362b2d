import type { z } from "zod";
import type { Actor } from "../caller/audit.ts";
import type { Credential, Principal, Right } from "../caller/principal.ts";
import type { Database, DatabaseEnv } from "../database/open.ts";
import type { ErrorCode } from "../error/api-error.ts";
import type { Clock, ClockEnv } from "../time/clock.ts";

export type ServiceEnv = DatabaseEnv & ClockEnv;

/** A request whose parameters the gateway has read already. */
export type ReadRequest = {
  /** Without the version segment and without a trailing slash. */
  path: string;
  method: string;
  /** Parameters whose values have their JSON types. */
  typed: Record<string, unknown>;
  /** Parameters that came as text: query, form, multipart. */
  textual: Record<string, unknown>;
  /** Whether the call came with a hash, good or not; the hash itself no service gets. */
  shows_hash: boolean;
  /** The header's wish for ISO 8601. */
  iso: boolean;
  /** The caller's IP address. */
  address: string;
  user_agent: string;
  /** `https://host/api-v2`, for links. */
  base_url: string;
  request_id: string;
};

/** A part of a multipart body that is a file. */
export type FilePart = { name: string; type: string; bytes: Uint8Array };

/** JSON replies travel between Workers as text; files and streams as a response. */
export type Answer = SerializedAnswer | Response;
/** `hops`: for how many of them its service has waited, one after the other. */
export type SerializedAnswer = { status: number; body: string; hops?: number };

/** A reply whose JSON stands written already, `success` included: it goes as it is, and as text, unlike a stream. */
export class SerializedReply {
  readonly body: string;

  constructor(body: string) {
    this.body = body;
  }
}

/** What a handler may rely on: the caller is known and permitted, the input valid. */
export type Call<Env> = {
  db: Database;
  env: Env;
  principal: Principal;
  clock: Clock;
  request: ReadRequest;
  /** To record changes by. */
  actor: Actor;
};

export type Reply = "json" | "kml" | "kmz" | "geojson" | "pdf" | "xls" | "xlsx" | "csv" | "html" | "file" | "redirect";

type Declaration<Env, Input extends z.ZodObject, Output extends z.ZodObject> = {
  /** One line for the reader of the API's description. */
  summary: string;
  /** By default a session, delegated or not, or an API key. */
  accepts?: readonly Credential[];
  /** Sub-users get 13. */
  masterOnly?: true;
  right?: Right;
  /** What an operator must be permitted: category and operation. */
  permission?: [category: string, operation: string];
  /** The tariff's feature that the trackers concerned need. */
  feature?: string;
  /** Changes nothing: GET is accepted too. */
  reads?: true;
  /** Changes something, and takes GET all the same: there are clients that know nothing else. */
  takesGet?: true;
  /** JSON unless named. */
  reply?: Reply[];
  input: Input;
  /** Under which name a parameter is told to be wrong, where that is another than its path. */
  reportedAs?(parameter: string): string;
  /** The code for what is wrong with a parameter, where it has one of its own; all else is 7. */
  codeFor?(parameter: string, value: unknown): ErrorCode | undefined;
  output: Output;
  /** Besides the general ones. */
  errors: ErrorCode[];
  // A method, not a property: operations of any input fit one list.
  run(input: z.output<Input>, call: Call<Env>): Promise<z.output<Output> | Response | SerializedReply>;
};
export type Operation<Env> = Declaration<Env, z.ZodObject, z.ZodObject> & { path: string };

/** Once a service, `operation = operationsOf<FleetEnv>()`: its handlers know its bindings. */
export function operationsOf<Env>() {
  return function operation<Input extends z.ZodObject, Output extends z.ZodObject>(
    path: `/${string}`,
    declaration: Declaration<Env, Input, Output>,
  ): Operation<Env> {
    return { path, ...declaration };
  };
}
