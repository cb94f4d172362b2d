import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE_MS } from "../../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../call/account.ts";
import { DECLARED } from "../call/declared.ts";
import { pointsOfADrive } from "../sample/drive.ts";
import { SAMPLES } from "../sample/index.ts";
import { newWorld } from "../sample/world.ts";

/** A call that only reads, and what an installation answered. */
export type RecordedAnswer = { path: string; parameters: object; reply: Reply };

/** Answers that depend on the moment of the call, although two in a row may be the same. */
const VOLATILE = ["/user/session/list", "/health"];
/** Operations that store what they derive, and answer the same as often as they are called. */
const DERIVING = ["/track/list", "/tracker/get_state", "/tracker/get_states"];
/** More than a feed keeps open: some are in the database, the others in the feed. */
const POINTS = 4_200;

/** Fills an installation with a thing of every kind, and records what each reading operation answers, twice the same. */
export async function recordAnswers(installation: { baseUrl: string }): Promise<RecordedAnswer[]> {
  const accounts: Accounts = {
    ...accountsOn(installation),
    // The installation runs its crons itself once a minute.
    fireCron: async () => pause(1_000),
  };
  const { account, world } = await newWorld(accounts, pointsOfADrive(POINTS));
  const operator = await accounts.operatorHash();
  const calls = Object.entries(SAMPLES).flatMap(([path, samples]) =>
    samples
      .filter(({ before, as }) => isReading(path) && !before && as !== "nobody")
      .map(({ as, parameters }) => {
        const hash = as === "operator" ? operator : account.hash;
        return { path, parameters: { hash, ...parameters(world, account) } };
      }),
  );
  // Deliveries and sweeps have ended by then.
  await pause(2 * MINUTE_MS);
  const first = await askAll(installation.baseUrl, calls);
  await pause(MINUTE_MS);
  const second = await askAll(installation.baseUrl, calls);
  return first.filter(
    ({ reply }, index) => isSuccess(reply) && JSON.stringify(reply) === JSON.stringify(second[index]?.reply),
  );
}

function isReading(path: string): boolean {
  return (DECLARED.get(path)?.reads || DERIVING.includes(path)) && !VOLATILE.includes(path);
}

/** The answers of an installation to these calls. */
export async function askAll(baseUrl: string, calls: Omit<RecordedAnswer, "reply">[]): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const { path, parameters } of calls)
    answers.push({ path, parameters, reply: await ask(baseUrl, path, parameters) });
  return answers;
}

async function ask(baseUrl: string, path: string, parameters: object): Promise<Reply> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(parameters) });
  if (!answer.headers.get("Content-Type")?.includes("json")) return { success: answer.ok, bytes: await hashOf(answer) };
  return withFiles(await answer.json(), new URL(baseUrl).origin);
}

/** The reply with a hash of the file's content in place of each address of a file, which contains the port and a token. */
async function withFiles(value: Reply, origin: string): Promise<Reply> {
  if (typeof value === "string") return value.startsWith(`${origin}/`) ? hashOf(await fetch(value)) : value;
  if (Array.isArray(value)) return Promise.all(value.map((member) => withFiles(member, origin)));
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(async ([name, member]) => [name, await withFiles(member, origin)]);
  return Object.fromEntries(await Promise.all(members));
}

async function hashOf(answer: Response): Promise<string> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  return `${answer.status} ${createHash("sha256").update(bytes).digest("base64url")}`;
}

function isSuccess(reply: Reply) {
  return reply.success === true;
}
