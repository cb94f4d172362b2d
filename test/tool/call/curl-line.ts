type Request = { baseUrl: string; path: string; parameters: object; headers?: Record<string, string> };

/** The line of curl that makes the same call; values that are files stand as their names. */
export function curlLine({ baseUrl, path, parameters, headers = {} }: Request): string {
  const isForm = Object.values(parameters).some((value) => value instanceof File);
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = isForm
    ? Object.entries(parameters).map(([name, value]) => `-F ${quoted(`${name}=${formValue(value)}`)}`)
    : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(parameters))}`];
  return ["curl -s", quoted(baseUrl + path), ...given, ...body].join(" ");
}

function formValue(value: unknown): string {
  if (value instanceof File) return `@${value.name}`;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
