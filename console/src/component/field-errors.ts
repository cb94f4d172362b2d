import { ApiError } from "../../../clients/typescript/src/index.ts";

/** Faults of the values of a form, by the names of its fields: `extended_params.min`. */
export type FieldErrors = Record<string, string>;

/** The errors of a refusal by the names of their parameters, without the name of the parameter around them. */
export function fieldErrorsOf(thrown: unknown, around: string): FieldErrors {
  if (!(thrown instanceof ApiError)) return {};
  const inner = thrown.errors.map(({ parameter, error }) => {
    const name = parameter.startsWith(`${around}.`) ? parameter.slice(around.length + 1) : parameter;
    return [name, error] as const;
  });
  return Object.fromEntries(inner);
}

/** The error of a field or of the first value within it. */
export function errorAt(errors: FieldErrors, name: string): string | undefined {
  const within = Object.keys(errors).find((key) => key === name || key.startsWith(`${name}.`));
  return within === undefined ? undefined : errors[within];
}
