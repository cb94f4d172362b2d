import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Reply } from "../call/account.ts";
import { listenOnLoopback } from "../listen.ts";

/** The keys that a browser keeps for its subscription. */
export type Keys = { privateKey: Buffer; publicKey: Buffer; auth: Buffer };
type Posted = { headers: IncomingHttpHeaders; body: Buffer };
type Answer = { status: number; retryAfter?: string } | "nothing";

/** A push service for browsers. An endpoint answers 201 unless `answerWith` says otherwise. */
export async function startPushService() {
  const posted = new Map<string, Posted[]>();
  const answers = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    posted.set(path, [...(posted.get(path) ?? []), { headers: request.headers, body: await buffer(request) }]);
    const answer = answers.get(path) ?? { status: 201 };
    if (answer === "nothing") return void response.destroy();
    response.writeHead(answer.status, answer.retryAfter ? { "Retry-After": answer.retryAfter } : {}).end();
  });
  const port = await listenOnLoopback(server);
  const host = `127.0.0.1:${port}`;
  return { host, subscribe, stop };

  /** A browser's subscription, and what came for it. */
  function subscribe() {
    const path = `/send/${randomBytes(8).toString("hex")}`;
    const keys = newKeys();
    const text = (bytes: Buffer) => bytes.toString("base64url");
    const all = () => posted.get(path) ?? [];
    return {
      /** The token that binds the browser to a session. */
      token: {
        application: "w3c_pushapi",
        token: `http://${host}${path}`,
        parameters: { p256dh: text(keys.publicKey), auth: text(keys.auth) },
      },
      posted: all,
      received: (): Reply[] => all().map(({ body }) => JSON.parse(decrypt(body, keys).toString())),
      answerWith: (answer: Answer) => void answers.set(path, answer),
    };
  }

  function stop() {
    server.close();
    server.closeAllConnections();
  }
}

/** Decrypts a message as a browser does (RFC 8291), without the library under test. */
export function decrypt(body: Buffer, { privateKey, publicKey, auth }: Keys): Buffer {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
  const ikm = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(ikm, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(ikm, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with a 2 and any number of zeros.
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** The claims of a header that its own key has signed, and that key (RFC 8292). */
export function claimsOf(authorization: string) {
  const { token = "", key = "" } = /^vapid t=(?<token>[^,]+), ?k=(?<key>.+)$/.exec(authorization)?.groups ?? {};
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${header}.${claims}`);
  const format = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", signed, format, Buffer.from(signature, "base64url")))
    throw new Error("The signature is wrong.");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  return { key, header: read(header), claims: read(claims) };
}

function newKeys(): Keys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys();
  // Leading zeros are not given out.
  const privateKey = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex");
  return { privateKey, publicKey, auth: randomBytes(16) };
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number) {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}
