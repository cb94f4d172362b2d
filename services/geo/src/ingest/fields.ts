/** Values of a query or a form by name, in order: names such as `cell` may be repeated. */
export type Fields = Map<string, string[]>;

export function fieldsOf(text: string): Fields {
  const fields: Fields = new Map();
  // Usually nothing is encoded.
  if (ENCODED.test(text)) {
    for (const [name, value] of new URLSearchParams(text)) put(fields, name, value);
    return fields;
  }
  for (const field of text.slice(text.startsWith("?") ? 1 : 0).split("&")) {
    if (field === "") continue;
    const middle = field.indexOf("=");
    if (middle === -1) put(fields, field, "");
    else put(fields, field.slice(0, middle), field.slice(middle + 1));
  }
  return fields;
}

export function firstOf(fields: Fields | null, name: string): string | null {
  return fields?.get(name)?.[0] ?? null;
}

function put(fields: Fields, name: string, value: string) {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

const ENCODED = /[%+]/;
