import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Reply } from "../call/account.ts";
import { listenOnLoopback } from "../listen.ts";

type Answer = { status: number; error?: string };

/** A push service for mobile applications with a service account. It accepts every message unless `answerTo` says otherwise. */
export async function startMobilePushService() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const posted: Reply[] = [];
  const assertions: string[] = [];
  const answers = new Map<string, Answer>();
  let grants = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === "/token") return grant(new URLSearchParams(body), response);
    const { message } = JSON.parse(body);
    posted.push({ path: request.url, authorization: request.headers.authorization, message });
    const { status, error } = answers.get(message.token) ?? { status: 200 };
    const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode: error }];
    response
      .writeHead(status)
      .end(JSON.stringify(status === 200 ? { name: "sent" } : { error: { code: status, details } }));
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  const account = {
    type: "service_account",
    project_id: "fleet-test",
    client_email: "push@fleet-test.example.com",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    token_uri: `${url}/token`,
  };
  return {
    environment: { FCM_SERVICE_ACCOUNT: JSON.stringify(account), FCM_URL: url },
    /** The number of requests for a token. */
    grants: () => grants,
    /** The claims of the last assertion, once its signature has been verified. */
    claims: () => claimsOf(assertions.at(-1) ?? ""),
    to: (token: string): Reply[] => posted.filter(({ message }) => message.token === token),
    answerTo: (token: string, answer: Answer) => void answers.set(token, answer),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };

  function grant(form: URLSearchParams, response: ServerResponse) {
    grants++;
    assertions.push(form.get("assertion") ?? "");
    response.end(JSON.stringify({ access_token: `token-${grants}`, expires_in: 3600, token_type: "Bearer" }));
  }

  function claimsOf(assertion: string) {
    const [header = "", claims = "", signature = ""] = assertion.split(".");
    const isGenuine = verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
      Buffer.from(signature, "base64url"),
    );
    if (!isGenuine) throw new Error("The signature is wrong.");
    return JSON.parse(Buffer.from(claims, "base64url").toString());
  }
}
