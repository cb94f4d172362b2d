import type * as z from "zod";
import type { Actor } from "../caller/audit.ts";
import type { Credential, Principal, Right } from "../caller/principal.ts";
import type { SerializedAnswer } from "../database/idempotency/answer-once.ts";
import type { Database, DatabaseEnv } from "../database/open.ts";
import type { ErrorCode } from "../error/api-error.ts";
import type { Clock, ClockEnv } from "../time/clock.ts";

export type ServiceEnv = DatabaseEnv & ClockEnv;

/** A request as the gateway parsed it. */
export type ReadRequest = {
  /** Without version segment and trailing slash. */
  path: string;
  method: string;
  /** Parameters with JSON types. */
  typed: Record<string, unknown>;
  /** Parameters that came as text: query, form, multipart. */
  textual: Record<string, unknown>;
  /** Whether the call came with a hash, valid or not. Services never receive the hash itself. */
  shows_hash: boolean;
  /** Whether the header asks for ISO 8601 times. */
  iso: boolean;
  /** The caller's IP address. */
  address: string;
  user_agent: string;
  /** `https://host/api-v2`, for links. */
  base_url: string;
  request_id: string;
  /** True for a caller that may only read: operations that change something answer 13. */
  reads_only?: true;
  /** Makes a change take effect once, however often it is called. */
  idempotency_key?: string;
};

/** A file of a multipart body. */
export type FilePart = { name: string; type: string; bytes: Uint8Array };

/** JSON answers cross between Workers as text; files and streams as a Response. */
export type Answer = SerializedAnswer | Response;
export type { SerializedAnswer };

/** A complete JSON answer as text, `success` included. */
export class SerializedReply {
  readonly body: string;

  constructor(body: string) {
    this.body = body;
  }
}

/** Context of a handler: the caller is known and permitted, the input valid. */
export type Call<Env> = {
  db: Database;
  env: Env;
  principal: Principal;
  clock: Clock;
  request: ReadRequest;
  /** Author of the changes, for the audit log. */
  actor: Actor;
};

export type Reply = "json" | "kml" | "kmz" | "geojson" | "pdf" | "xls" | "xlsx" | "csv" | "html" | "file" | "redirect";

/** Whether calls of an operation are expensive; `with` names the parameter without which they are not. */
export type Expensive = true | { with: string };

type Declaration<Env, Input extends z.ZodObject, Output extends z.ZodObject> = {
  /** One line for the API's description. */
  summary: string;
  /** Accepted credentials; by default sessions, delegated sessions and API keys. */
  accepts?: readonly Credential[];
  /** Sub-users get 13. */
  masterOnly?: true;
  right?: Right;
  /** Permission that an operator needs: category and operation. */
  permission?: [category: string, operation: string];
  /** Tariff feature that the trackers concerned need. */
  feature?: string;
  /** The operation changes nothing: GET is accepted too. */
  reads?: true;
  /** GET is accepted although the operation changes something, for clients that only know GET. */
  takesGet?: true;
  /** Two expensive calls of an account run at a time, others wait: 15. The gateway lists them (`expensive-operations.ts`). */
  expensive?: Expensive;
  /** JSON by default. */
  reply?: Reply[];
  input: Input;
  /** Name of a parameter in error messages, when it differs from its path. */
  reportedAs?(parameter: string): string;
  /** Error code for an invalid parameter, when it is not 7. */
  codeFor?(parameter: string, value: unknown): ErrorCode | undefined;
  output: Output;
  /** Error codes besides the general ones. */
  errors: ErrorCode[];
  /**
   * The answer of a call with an idempotency key whose process died before it was stored. `rowId` is that of the first row that
   * the call inserted. `run`: the call runs again, because what it made is of no use to anybody and harms nobody.
   */
  answerAgain?: "run" | AnswerAgain<Env, Input, Output>;
  /** The effect is in no transaction of the Worker's own database: an idempotency key is stored before the operation runs. */
  writesElsewhere?: true;
  // A method, so that operations with any input fit one list.
  run(input: z.output<Input>, call: Call<Env>): Promise<z.output<Output> | Response | SerializedReply>;
};
type AnswerAgain<Env, Input extends z.ZodObject, Output extends z.ZodObject> = {
  // A method for the same reason.
  create(rowId: number, input: z.output<Input>, call: Call<Env>): Promise<z.output<Output>>;
};
export type Operation<Env> = Declaration<Env, z.ZodObject, z.ZodObject> & { path: string };

/** Called once per service: handlers then know its bindings. */
export function operationsOf<Env>() {
  return function operation<Input extends z.ZodObject, Output extends z.ZodObject>(
    path: `/${string}`,
    declaration: Declaration<Env, Input, Output>,
  ): Operation<Env> {
    return { path, ...declaration };
  };
}
