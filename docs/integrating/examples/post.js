// Calls of the API for the programs of this folder: the environment names the address of the API and the hash that calls.
export const { FLEET_URL: baseUrl, FLEET_HASH: hash } = process.env;

/** The reply of an operation. A refused call throws an error with the reply. */
export async function post(path, parameters = {}, headers = {}) {
  const answer = await fetch(baseUrl + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `FMS ${hash}`, ...headers },
    body: JSON.stringify(parameters),
  });
  const reply = await answer.json();
  if (!reply.success) throw Object.assign(new Error(reply.status.description), { reply });
  return reply;
}
