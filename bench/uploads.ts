import { randomBytes } from "node:crypto";
import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";

const MEGABYTE = 1024 * 1024;
const CONTENT = randomBytes(5 * MEGABYTE);
/** The first bytes of a JPEG. */
CONTENT.set([0xff, 0xd8, 0xff]);
const AT_A_TIME = 2;
/** Five rounds of uploads stay within the account's 100 MB. */
const A_ROUND = 4;

type Ticket = { url: string; file_field_name: string; fields: Record<string, string> };

/** Photos of 5 MB with a ticket each, against a Worker that does nothing but put the same bytes into a bucket. */
export async function uploadFigure({ bare }: Stack, { call, hash }: Account): Promise<Figure> {
  const { bareBytes, ticketBytes } = await rounds({
    bareBytes: () => perSecond(Array.from({ length: A_ROUND }, (_, photo) => () => put(`${bare}/object/${photo}`))),
    async ticketBytes() {
      const parameters = { hash, size: CONTENT.byteLength };
      const tickets = await Promise.all(
        Array.from({ length: A_ROUND }, async () => (await call("/checkin/image/create", parameters)).value as Ticket),
      );
      return perSecond(tickets.map((ticket) => () => upload(ticket)));
    },
  });
  const described = { name: `${BASE}/file/upload, photos of 5 MB, ${AT_A_TIME} at a time`, unit: "MB/s" };
  const baseline = { name: "bare Worker to R2", unit: "MB/s" };
  return compareRounds({ ...described, goal: { least: 0.6 }, baseline }, ticketBytes, bareBytes);
}

/** Megabytes of contents, a few at a time. */
async function perSecond(sendings: (() => Promise<void>)[]): Promise<number> {
  const start = performance.now();
  const waiting = [...sendings];
  const sender = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, sender));
  return (sendings.length * CONTENT.byteLength) / MEGABYTE / ((performance.now() - start) / 1000);
}

async function put(url: string) {
  await checkSent(await fetch(url, { method: "PUT", body: CONTENT }));
}

async function upload({ url, file_field_name, fields }: Ticket) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set(file_field_name, new File([CONTENT], "photo.jpg", { type: "image/jpeg" }));
  await checkSent(await fetch(url, { method: "POST", body }));
}

async function checkSent(answer: Response) {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${text.slice(-300)}`);
}
