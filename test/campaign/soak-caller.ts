import { Agent, request } from "node:http";
import { BASE } from "../../bench/tool/account.ts";
import { ERRORS, type ErrorCode } from "../../shared/error/api-error.ts";
import { systemNow } from "../../shared/time/clock.ts";

export type Reply = Record<string, unknown>;
export type Caller = ReturnType<typeof callerOf>;
export type HttpRequest = {
  method?: "GET" | "POST";
  url: string;
  body?: Buffer;
  headers?: Record<string, string>;
};

/** The fault that was active at any moment since then; undefined: none. */
export type Disturbance = (sinceMs: number) => string | undefined;

/** Answers during faults, and those among them that are not allowed. */
export class Answers {
  readonly byCode = new Map<number, number>();
  readonly offences: string[] = [];
  /** Connections that broke while a process was being killed, which nobody can help. */
  broken = 0;
  /** Answers that something was out of reach while nothing had been done to it. */
  unprovoked = 0;
  readonly #disturbance: Disturbance;

  constructor(disturbance: Disturbance) {
    this.#disturbance = disturbance;
  }

  note(path: string, code: number, beganMs: number) {
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    const disturbance = this.#disturbance(beganMs);
    if (code === OUT_OF_REACH && !disturbance) this.unprovoked++;
    if (TOLERATED.includes(code)) return;
    const words = ERRORS[code as ErrorCode]?.[1] ?? "which is none of ours";
    this.offences.push(`${path} answered code ${code}, ${words}, ${during(disturbance)}`);
  }

  noteStrange(path: string, status: number, body: string) {
    this.offences.push(`${path} answered ${status} and no envelope: ${body.slice(0, 200)}`);
  }

  noteBroken(path: string, error: Error, beganMs: number) {
    const disturbance = this.#disturbance(beganMs);
    if (error.name === "TimeoutError")
      this.offences.push(`${path} was not answered within ${MAX_ANSWER_MS / 1000} s, ${during(disturbance)}`);
    else if (disturbance?.startsWith("kill")) this.broken++;
    else this.offences.push(`${path}: the connection broke ${during(disturbance)}, ${error.message}`);
  }
}

function during(disturbance: string | undefined) {
  return disturbance ? `during "${disturbance}"` : "while nothing was done to the system";
}

/** One client on one connection; `undefined` for an answer says that nobody knows whether it was done. */
export function callerOf(origin: string, answers: Answers, hash?: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async call(path: string, parameters: object): Promise<Reply | undefined> {
      const body = Buffer.from(JSON.stringify({ hash, ...parameters }));
      const headers = { "Content-Type": "application/json" };
      return replyOf(path, { url: origin + BASE + path, body, headers });
    },
    /** A file in a form; what comes back is an envelope as of any call. */
    async upload(url: string, form: FormData) {
      const encoded = new Response(form);
      const body = Buffer.from(await encoded.arrayBuffer());
      return replyOf("upload", { url, body, headers: { "Content-Type": encoded.headers.get("Content-Type") ?? "" } });
    },
    download: async (url: string) => (await exchange({ method: "GET", url }, agent)).body,
    end: () => agent.destroy(),
  };

  async function replyOf(path: string, asked: HttpRequest): Promise<Reply | undefined> {
    const beganMs = systemNow();
    try {
      const { body, status } = await exchange(asked, agent);
      const reply = envelopeOf(body.toString());
      if (reply) answers.note(path, codeOf(reply), beganMs);
      else answers.noteStrange(path, status, body.toString());
      return reply?.success === true ? reply : undefined;
    } catch (error) {
      answers.noteBroken(path, error instanceof Error ? error : new Error(String(error)), beganMs);
      return undefined;
    }
  }
}

function exchange({ method = "POST", url, body, headers = {} }: HttpRequest, agent: Agent) {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const length = body ? { "Content-Length": String(body.length) } : {};
    const signal = AbortSignal.timeout(MAX_ANSWER_MS);
    const sent = request(url, { method, agent, signal, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }));
      answer.once("error", recordFailure);
    });
    sent.once("error", recordFailure);
    sent.end(body);

    function recordFailure(error: Error) {
      reject(signal.aborted ? signal.reason : error);
    }
  });
}

function envelopeOf(text: string): Reply | undefined {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === "object" && reply !== null && "success" in reply ? { ...reply } : undefined;
  } catch {
    return undefined;
  }
}

/** 0 for success. */
function codeOf({ success, status }: Reply): number {
  if (success === true) return 0;
  return typeof status === "object" && status !== null && "code" in status ? Number(status.code) : -1;
}

const OUT_OF_REACH = 14;
/** Codes that are allowed besides success: unavailable and too many requests. */
const TOLERATED = [0, OUT_OF_REACH, 15];
const MAX_ANSWER_MS = 60_000;
