type Request = { baseUrl: string; path: string; parameters: object; headers?: Record<string, string> };

/** The line of curl that makes the same call; values that are files stand as their names. */
export function curlLine({ baseUrl, path, parameters, headers = {} }: Request): string {
  const isForm = Object.values(parameters).some((value) => value instanceof File);
  const given = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const body = isForm
    ? Object.entries(parameters).map(([name, value]) => `-F ${quote(`${name}=${formValue(value)}`)}`)
    : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(parameters))}`];
  return ["curl -s", quote(baseUrl + path), ...given, ...body].join(" ");
}

function formValue(value: unknown): string {
  if (value instanceof File) return `@${value.name}`;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quote(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
