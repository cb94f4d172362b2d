import { DurableObject } from "cloudflare:workers";
import type { AuditEntry } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { unseal } from "#shared/secret/seal.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import { insertEntries } from "../../audit/record-queries.ts";
import { loadUserPrincipals } from "../../credential/guard/principal-queries.ts";
import type { GatewayEnv } from "../../env.ts";
import { selectEvents } from "../../event/queries.ts";
import type { EventRow } from "../../table/event.ts";
import type { WebhookRow } from "../../table/webhook.ts";
import type { LoggedDelivery } from "./attempt-log.ts";
import type { Delivery, DeliverySearch, ReplaySelection } from "./delivery.ts";
import { DeliveryStore, type FinishedAttempt } from "./delivery-store.ts";
import { disableAndReport } from "./disable.ts";
import { toBody } from "./envelope.ts";
import { maySee, passesFilters } from "./filter.ts";
import { postEvent } from "./post-event.ts";
import { selectWebhook, updateReadSequence } from "./queries.ts";
import { MAX_FAILING_MS, nextAttempt } from "./schedule.ts";
import type { Sender } from "./sender.ts";
import { signerWith } from "./signature.ts";

/** Stores the deliveries of one webhook and sends them, five at a time. Its alarm continues after any end of the process. */
export class WebhookSender extends DurableObject<GatewayEnv> implements Sender {
  /** Undefined before the first use, and after everything was erased. */
  #opened: DeliveryStore | undefined;
  #run: Promise<void> | undefined;
  /** Set by a wake-up during a run, which then looks for events once more. */
  #isWoken = false;
  /** Deliveries of the present round that are still to be sent: those of a queue one after the other. */
  #unsent: Delivery[][] = [];
  /** Attempts that are not stored yet. */
  #finished: FinishedAttempt[] = [];

  get #store(): DeliveryStore {
    this.#opened ??= new DeliveryStore(this.ctx.storage);
    return this.#opened;
  }

  async wake(): Promise<void> {
    this.#isWoken = true;
    // A failed run goes on with the alarm.
    this.#start().catch(() => undefined);
  }

  override async alarm(): Promise<void> {
    this.#isWoken = true;
    // This alarm may join a run that is under way: the next alarm goes on if that run fails.
    await this.ctx.storage.setAlarm(systemNow() + SAFETY_MS);
    await this.#start().catch(() => undefined);
  }

  async test(webhookId: number): Promise<LoggedDelivery> {
    const now = nowMs(this.env);
    const webhook = await selectWebhook(openDatabase(this.env), webhookId);
    if (!webhook) throw new Error("the webhook is deleted");
    // A run that is under way must not send it, too.
    const delivery = this.#store.add(testEventOf(webhook, now), toBody, now, now + SAFETY_MS);
    const attempt = await this.#attempt(delivery, webhook, await this.#headerWriterOf(webhook));
    this.#store.finishAttempts([attempt]);
    if (attempt.result.error !== null) await this.#disableAfter(attempt, webhook);
    return (
      this.#store.search({ ...EVERYTHING, before: delivery.sequence + 1, limit: 1 })[0] ?? { ...delivery, log: [] }
    );
  }

  async search(search: DeliverySearch): Promise<LoggedDelivery[]> {
    this.#storeFinished();
    return this.#store.search(search);
  }

  async replay(selection: ReplaySelection, entry: AuditEntry): Promise<number | null> {
    // The alarm is stored with the replay: if the process ends behind it, the alarm records and sends.
    const isSet = this.ctx.storage.setAlarm(systemNow() + SAFETY_MS);
    // Deliveries that have just been made are in the replay, too.
    this.#storeFinished();
    const count = this.#store.replay(selection, entry, nowMs(this.env));
    await isSet;
    if (count !== null) await this.#recordReplays();
    await this.wake();
    return count;
  }

  async restart(): Promise<void> {
    this.#storeFinished();
    this.#store.forgetFailures();
    await this.wake();
  }

  async erase(): Promise<void> {
    this.#unsent = [];
    this.#finished = [];
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // The tables are gone, too.
    this.#opened = undefined;
  }

  #start(): Promise<void> {
    this.#run ??= this.#sendAll()
      .finally(() => {
        this.#run = undefined;
      })
      // A wake-up at the very end of a run has found it running.
      .then(() => (this.#isWoken ? this.#start() : undefined));
    return this.#run;
  }

  /** Reads pages of events and sends deliveries until nothing is due; then sets the alarm for the next attempt. */
  async #sendAll(): Promise<void> {
    const db = openDatabase(this.env);
    for (;;) {
      // If the process ends during the round, or the round fails, the alarm goes on.
      await this.ctx.storage.setAlarm(systemNow() + SAFETY_MS);
      this.#isWoken = false;
      const webhook = await selectWebhook(db, Number(this.ctx.id.name));
      if (!webhook) return this.erase();
      this.#store.deleteOld(nowMs(this.env));
      await this.#recordReplays();
      if (!webhook.enabled) return this.#setAlarm(undefined);
      const principal = (await loadUserPrincipals(db, this.env, [webhook.user_id])).get(webhook.user_id);
      // A user who is blocked or lacks the right gets nothing now; its events wait as long as they are stored.
      if (!principal?.rights.includes("webhook_update")) return this.#setAlarm(nowMs(this.env) + CLOSED_PAUSE_MS);
      const hasMore = await this.#readPage(webhook, principal);
      const due = await this.#listRecordedDue(webhook);
      await this.#sendEach(due, webhook, principal);
      if (due.length === 0 && !hasMore && !this.#isWoken) break;
    }
    await this.#noteCursor();
    await this.#setAlarm(this.#store.nextDue());
  }

  /** Sets the alarm for the next attempt, or for the day after the oldest delivery expires; none without both. */
  async #setAlarm(attempt: number | undefined): Promise<void> {
    const expiry = this.#store.nextExpiry();
    const moments = [...(attempt === undefined ? [] : [attempt]), ...(expiry === undefined ? [] : [expiry + DAY_MS])];
    if (moments.length === 0) return this.ctx.storage.deleteAlarm();
    // The clock of stored data may be moved, the clock of alarms is the machine's.
    await this.ctx.storage.setAlarm(systemNow() + Math.max(Math.min(...moments) - nowMs(this.env), 0));
  }

  /** Due deliveries, once the audit log has the entries of all replays so far. */
  async #listRecordedDue({ ordered }: WebhookRow): Promise<Delivery[]> {
    // A replay may come while an earlier one is written.
    while (this.#store.entries.list().length > 0) await this.#recordReplays();
    return this.#store.listDue(nowMs(this.env), ordered, MAX_DELIVERIES_PER_ROUND);
  }

  /** Writes the entries of replays into the audit log. An entry that is there stays once. */
  async #recordReplays(): Promise<void> {
    const entries = this.#store.entries.list();
    if (entries.length === 0) return;
    await insertEntries(openDatabase(this.env), entries);
    for (const entry of entries) this.#store.entries.remove(entry);
  }

  /** Stores the next events as deliveries; true if there may be more. */
  async #readPage(webhook: WebhookRow, principal: Principal): Promise<boolean> {
    if (this.#store.countWaiting() >= MAX_WAITING) return false;
    const after = this.#store.cursor ?? webhook.start_sequence;
    const search = { after, types: webhook.types, limit: EVENTS_PER_PAGE };
    const { events, through, last } = await selectEvents(openDatabase(this.env), principal, search);
    if (through === after) return false;
    const taggedTrackers = await this.#taggedTrackers(webhook, principal, events);
    const chosen = events.filter((event) => passesFilters(event, { ...webhook, taggedTrackers }));
    this.#store.addPage(chosen, through, toBody, nowMs(this.env));
    return through < last;
  }

  /** Trackers of the events that have one of the webhook's tags; null without such a filter. */
  async #taggedTrackers(
    { tag_ids }: WebhookRow,
    principal: Principal,
    events: EventRow[],
  ): Promise<Set<number> | null> {
    if (!tag_ids) return null;
    const ids = events.flatMap(({ tracker_id }) => tracker_id ?? []);
    return new Set(await this.env.FLEET.taggedTrackers(principal, tag_ids, ids));
  }

  async #sendEach(due: Delivery[], webhook: WebhookRow, principal: Principal): Promise<void> {
    const visible = due.filter((delivery) => maySee(principal, delivery));
    for (const delivery of due) if (!visible.includes(delivery)) this.#store.skip(delivery);
    if (visible.length === 0) return;
    const headersFor = await this.#headerWriterOf(webhook);
    // Whether the user may still see them has just been read: what is not sent soon waits for the next round, which reads it again.
    const end = systemNow() + ROUND_MS;
    const queues = webhook.ordered
      ? [...Map.groupBy(visible, subjectOf).values()]
      : visible.map((delivery) => [delivery]);
    this.#unsent = queues;
    const sendNext = async () => {
      while (systemNow() <= end) {
        const queue = this.#unsent.shift();
        const delivery = queue?.shift();
        if (!queue || !delivery) return;
        const attempt = await this.#attempt(delivery, webhook, headersFor);
        this.#storeSoon(attempt);
        // A failed delivery holds up those of its thing that come behind it.
        if (attempt.result.error !== null) await this.#disableAfter(attempt, webhook);
        // Once the webhook is disabled or deleted, `#unsent` is another list, which stays empty.
        else if (queue.length > 0 && this.#unsent === queues) queues.push(queue);
      }
    };
    const senders = await Promise.allSettled(Array.from({ length: CONCURRENT_REQUESTS }, sendNext));
    this.#storeFinished();
    // A new run must not begin while requests of this one are open.
    for (const sender of senders) if (sender.status === "rejected") throw sender.reason;
  }

  async #attempt(delivery: Delivery, webhook: WebhookRow, headersFor: HeaderWriter): Promise<FinishedAttempt> {
    const result = await postEvent(this.env, webhook.url, headersFor(delivery), delivery.body);
    const ended = nowMs(this.env);
    const due = isTest(delivery) ? null : nextAttempt(delivery.attempts + 1, ended, result.retryAfterMs, Math.random());
    return { delivery, result, due, ended };
  }

  /** Stores the attempt together with others that end within a few milliseconds: many small commits would slow them all. */
  #storeSoon(attempt: FinishedAttempt) {
    this.#finished.push(attempt);
    if (this.#finished.length === 1) setTimeout(() => this.#storeFinished(), STORE_DELAY_MS);
  }

  #storeFinished() {
    // After an erasure there is no opened store: what ended since then is not stored.
    this.#opened?.finishAttempts(this.#finished.splice(0));
  }

  /** Disables a webhook whose receiver is gone, or whose deliveries have failed for days. */
  async #disableAfter({ result: { status }, ended }: FinishedAttempt, webhook: WebhookRow): Promise<void> {
    this.#storeFinished();
    const since = this.#store.failingSince ?? ended;
    if (status !== 410 && ended - since < MAX_FAILING_MS) return;
    this.#unsent = [];
    await disableAndReport(this.env, webhook, status === 410 ? "gone" : "failing", { since, now: ended });
  }

  /** Opens the webhook's secrets and own headers, for all its deliveries of a round. */
  async #headerWriterOf({
    headers,
    secret,
    previous_secret,
    previous_until,
    private_key,
  }: WebhookRow): Promise<HeaderWriter> {
    const open = (sealed: string) => unseal(sealed, this.env.ENCRYPTION_KEY);
    const isPreviousValid = previous_secret !== null && (previous_until ?? 0) > nowMs(this.env);
    const secrets = [secret, ...(isPreviousValid ? [previous_secret] : [])];
    const own: { name: string; value: string }[] = JSON.parse(await open(headers));
    const additional = Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value]));
    const signatureOf = signerWith({
      secrets: await Promise.all(secrets.map(open)),
      privateKey: private_key === null ? null : await open(private_key),
    });
    return ({ event_id, body }) => ({
      ...additional,
      "content-type": "application/json",
      "user-agent": "fleet-monitoring-webhooks/1",
      ...signatureOf(event_id, Math.floor(nowMs(this.env) / SECOND_MS), body),
    });
  }

  async #noteCursor(): Promise<void> {
    const { cursor } = this.#store;
    if (cursor !== undefined) await updateReadSequence(openDatabase(this.env), Number(this.ctx.id.name), cursor);
  }
}

/** Makes the headers of an attempt that begins now. */
type HeaderWriter = (delivery: Delivery) => Record<string, string>;

function testEventOf({ id, account_id, user_id }: WebhookRow, now: number): EventRow {
  const subject = `webhook:${id}`;
  const data = { id };
  return {
    ...{ account_id, user_id, event_id: crypto.randomUUID(), sequence: 0, type: TEST_TYPE, subject, data },
    ...{ time: now, stored: now, tracker_id: null, private_to: null },
  };
}

function subjectOf({ subject }: Delivery) {
  return subject;
}

function isTest({ type }: Delivery) {
  return type === TEST_TYPE;
}

const TEST_TYPE = "webhook.test";
const EVERYTHING = { state: null, from: null, to: null };
const CONCURRENT_REQUESTS = 5;
/** A round, which begins with a look at what the user may see, begins no further request after this time. */
const ROUND_MS = SECOND_MS;
const MAX_DELIVERIES_PER_ROUND = 200;
const STORE_DELAY_MS = 5;
const EVENTS_PER_PAGE = 100;
/** With so many waiting deliveries no further events are read: they wait in the database, for 30 days. */
const MAX_WAITING = 1_000;
/** A run that is cut off goes on after this time. */
const SAFETY_MS = 30_000;
const CLOSED_PAUSE_MS = 10 * MINUTE_MS;
