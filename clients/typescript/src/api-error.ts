/** Where a parameter is wrong, and why. */
export type ParameterError = { parameter: string; error: string };

/** A call that the API has refused. Test `code`: descriptions may change. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The path of the operation. */
  readonly path: string;
  /** The code of the API; 0 when something else than the API answered. */
  readonly code: number;
  /** The HTTP status. */
  readonly status: number;
  /** The wrong parameters, for code 7. */
  readonly errors: ParameterError[];
  /** Names the call in the logs of the installation. */
  readonly request_id: string;
  /** Whether an earlier attempt of this changing call may have taken effect: its answer was lost. */
  readonly mayHaveTakenEffect: boolean;
  /** All members of the answer, such as `entities` of code 247. */
  readonly answer: Record<string, unknown>;

  constructor(path: string, response: Response, answer: Record<string, unknown>, mayHaveTakenEffect = false) {
    const { code = 0, description = `HTTP status ${response.status}` } = statusOf(answer);
    const errors = errorsOf(answer);
    const details = errors.map(({ parameter, error }) => `${parameter} ${error}`).join(", ");
    super(`${path}: ${code} ${description}${details && ` (${details})`}`);
    this.path = path;
    this.code = code;
    this.status = response.status;
    this.errors = errors;
    this.request_id = response.headers.get("X-Request-Id") ?? "";
    this.answer = answer;
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }
}

function statusOf({ status }: Record<string, unknown>): { code?: number; description?: string } {
  return typeof status === "object" && status !== null ? status : {};
}

function errorsOf({ errors }: Record<string, unknown>): ParameterError[] {
  return Array.isArray(errors) ? errors : [];
}
