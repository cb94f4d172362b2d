import { DurableObject } from "cloudflare:workers";
import { Mutex } from "#shared/background/mutex.ts";
import { isObject, parseJson } from "#shared/body/json.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { LiveEntry, LiveUpdate } from "#shared/contract/live.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { nowMs, systemNow, writeLocal } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { guardOf } from "../credential/guard/guard-stub.ts";
import type { GatewayEnv } from "../env.ts";
import { networkOf } from "../network.ts";
import { type Attachment, attachSocket, detachSocket } from "./attach-socket.ts";
import { ChangeReader } from "./change-reader.ts";
import { type ClientMessage, readMessage, toErrorContext } from "./client-message.ts";
import { withinClosingLimit } from "./closing-limit.ts";
import { removeSocket } from "./count-socket.ts";
import { HEARTBEAT, toEventFrame, toEventFrames, toFailureFrame, toHandshakeFrame, toResponseFrame } from "./frame.ts";
import type { LiveSocket } from "./live-socket.ts";
import { MessageLimits } from "./message-limits.ts";
import { SendBuffer } from "./send-buffer.ts";
import { addRequest, isQueried, keyOf, removeRequest, type Subscription, toTrackerFilter } from "./subscription.ts";
import {
  resolveMonitoredTrackers,
  selectTrackers,
  statusesOf,
  subscribeToStates,
  type TrackerSelection,
} from "./tracker-selection.ts";
import { isClogged, isReadInTime } from "./unread.ts";

/**
 * One Durable Object per connection, because the hash comes only with the first message. Subscriptions are stored, so the
 * object may hibernate while the connection stays open. Unsent states are only in memory: the next change replaces them.
 */
export class EventSocket extends DurableObject<GatewayEnv> implements LiveSocket {
  #mutex = new Mutex();
  #buffers: SendBuffer[];
  #changeReader: ChangeReader;
  #visible: Set<number>;
  #attachment: Attachment | undefined;
  /** True while a subscription is being made: its response must be sent before any update. */
  #isHeld = false;
  readonly #limits: MessageLimits;
  #renewAt = 0;

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    super(ctx, env);
    const { kv } = ctx.storage;
    this.#limits = new MessageLimits(env);
    this.#attachment = kv.get<Attachment>("attachment");
    this.#changeReader = new ChangeReader(env, {
      credentialKey: () => this.#attachment?.key,
      isVisible: (id) => this.#visible.has(id),
      send: (of, changes) => this.#sendStates(of, changes),
      retry: (of, ids) => this.#buffers.find(({ key }) => key === keyOf(of))?.putForQuery(ids),
      flush: () => this.#flush(),
    });
    this.#visible = new Set(kv.get<number[]>("visible"));
    this.#buffers = (kv.get<Subscription[]>("subscriptions") ?? []).map((one) => this.#newBuffer(one));
    // The runtime answers heartbeats of clients without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT, HEARTBEAT));
  }

  override async fetch({ headers }: Request): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(toHandshakeFrame(this.ctx.id.name ?? crypto.randomUUID(), this.#heartbeatMs));
    this.ctx.storage.kv.put("opened", systemNow());
    this.ctx.storage.kv.put("network", networkOf(headers.get("CF-Connecting-IP") ?? ""));
    await this.ctx.storage.setAlarm(systemNow() + this.#heartbeatMs);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer) {
    let parsed: unknown;
    try {
      if (this.#mutex.pending >= MAX_WAITING_MESSAGES) throw new ApiError(15);
      const text = this.#limits.read(message);
      if (!this.#attachment) await this.#limits.admitStranger(text, this.ctx.storage.kv.get<string>("network") ?? "");
      parsed = parseJson(text);
      if (!isObject(parsed)) throw new ApiError(5);
      const { hash, ...rest } = parsed;
      const request = readMessage(rest);
      await this.#mutex.run(async () => {
        if (await this.#isReady(socket)) await this.#handleMessage(request, hash);
      });
    } catch (thrown) {
      if (isClogged(socket)) return this.#close(socket, 1008, "nothing is read");
      const { action, data } = toErrorContext(parsed);
      socket.send(toFailureFrame(this.ctx.id.name, action, thrown, data));
      if (!this.#attachment && this.#limits.noteStrangerRefusal()) this.#close(socket, 1008, "no valid hash");
    }
  }

  /** A client waits for the answer to its closing; the runtime answers for itself only where a socket cannot hibernate. */
  override webSocketClose(socket: WebSocket) {
    socket.close(1000);
    return this.#mutex.run(() => this.#deleteState());
  }

  override webSocketError() {
    return this.#mutex.run(() => this.#deleteState());
  }

  async isOpen(): Promise<boolean> {
    return this.#socket() !== undefined;
  }

  async deliver(update: LiveUpdate): Promise<boolean> {
    const socket = this.#socket();
    if (!socket || this.#buffers.length === 0) return false;
    for (const { tracker_id, ...lifecycle } of update.lifecycles) {
      const isSubscribed = this.#visible.has(tracker_id) && this.#buffers.some((outlet) => outlet.includes(tracker_id));
      if (isSubscribed && !isClogged(socket)) socket.send(toEventFrame("lifecycle", JSON.stringify(lifecycle)));
    }
    for (const outlet of this.#buffers) outlet.addUpdate(update, this.#visible, this.#isHeld);
    this.#flush();
    return true;
  }

  async refresh(): Promise<void> {
    // A closed socket has nothing to renew, and a log-out must not wait for its removal.
    if (this.#socket()) await this.#mutex.run(() => this.#renew());
  }

  /** Sends the heartbeat, and reloads the caller's rights once a minute and when the session ends. */
  override async alarm() {
    const socket = this.#socket();
    if (!socket) return this.#deleteState();
    const attachment = this.#attachment;
    const idleMs = systemNow() - (this.ctx.storage.kv.get<number>("opened") ?? 0);
    if (!attachment && idleMs > MAX_IDLE_MS) return this.#close(socket, 1008, "nothing was subscribed to");
    const isExpired = attachment !== undefined && attachment.expires_at <= nowMs(this.env);
    if (attachment && (isExpired || this.#renewAt <= systemNow())) await this.refresh();
    if (!this.#socket()) return;
    if (!isClogged(socket)) socket.send(HEARTBEAT);
    await this.#scheduleAlarm();
  }

  async #handleMessage(message: ClientMessage, hash: unknown) {
    const before = this.#attachment;
    const name = this.#socketName();
    const { principal, ...attachment } = await attachSocket(this.env, hash, name);
    // A client that changes to another credential loses the subscriptions of the first.
    if (before && before.key !== attachment.key) await this.#detach(before, attachment);
    this.#attachment = attachment;
    this.ctx.storage.kv.put("attachment", attachment);
    await this.#scheduleAlarm();
    if (message.action === "subscribe") await this.#subscribe(message, principal);
    else await this.#unsubscribe(message, principal);
  }

  async #subscribe({ requests, isLegacy }: ClientMessage, principal: Principal) {
    const before = this.#subscriptions();
    const subscriptions = requests.reduce(addRequest, before);
    if (subscriptions.length > Number(this.env.SOCKET_SUBSCRIPTIONS)) throw new ApiError(15);
    const selection = await selectTrackers(this.env, principal, subscriptions);
    this.#isHeld = true;
    try {
      this.#store(resolveMonitoredTrackers(subscriptions, selection), selection);
      const filters = requests.map((request) => toTrackerFilter({ ...request, except: [] }));
      const fresh = selection.trackers
        .map(({ tracker_id }) => tracker_id)
        .filter((id) => filters.some((has) => has(id)));
      const entries = await this.#subscribeToStates(principal, selection, fresh);
      const answers = await Promise.all(requests.map((one) => this.#changeReader.readAll(principal, one, entries)));
      const value = (request: (typeof requests)[number]) => statusesOf(request.trackers, selection);
      const data: Record<string, { success: true; value: Record<string, string> }> = {};
      for (const request of requests)
        data[request.type] = { success: true, value: { ...data[request.type]?.value, ...value(request) } };
      const kinds = isLegacy ? ["state"] : [...new Set(requests.map(({ type }) => type))];
      this.#socket()?.send(toResponseFrame("subscribe", kinds, data));
      for (const [index, request] of requests.entries()) this.#sendFirst(request, entries, answers[index]);
    } catch (thrown) {
      // The failed request changes nothing: earlier subscriptions stay.
      this.#store(before, selection);
      throw thrown;
    } finally {
      this.#isHeld = false;
      this.#flush();
    }
  }

  async #unsubscribe({ requests, isLegacy }: ClientMessage, principal: Principal) {
    const subscriptions = requests.reduce(removeRequest, this.#subscriptions());
    const selection = await selectTrackers(this.env, principal, subscriptions);
    this.#store(subscriptions, selection);
    await this.#subscribeToStates(principal, selection, []);
    const idsOf = ({ trackers }: (typeof requests)[number]) => (trackers === "all" ? [] : trackers);
    const kinds = [...new Set(requests.map(({ type }) => type))];
    const data = Object.fromEntries(
      kinds.map((type) => [type, { success: true, value: requests.filter((one) => one.type === type).flatMap(idsOf) }]),
    );
    this.#socket()?.send(toResponseFrame("unsubscribe", kinds, isLegacy ? requests.flatMap(idsOf) : data));
  }

  #sendFirst(request: ClientMessage["requests"][number], entries: LiveEntry[], answers: string[] | undefined) {
    const outlet = this.#buffers.find(({ key }) => key === keyOf(request));
    if (!outlet) return;
    const has = toTrackerFilter({ ...request, except: [] });
    const states = entries.flatMap(({ tracker_id, states }) => {
      if (!has(tracker_id)) return [];
      return outlet.takeWaiting(tracker_id) ?? states[request.format] ?? [];
    });
    this.#sendStates(request, answers ?? states);
    outlet.markSent();
  }

  /** Answers are long: the next one waits until the client has read earlier ones. False if the connection is closed. */
  async #isReady(socket: WebSocket): Promise<boolean> {
    if (await isReadInTime(socket)) return this.#socket() !== undefined;
    this.#close(socket, 1008, "nothing is read");
    return false;
  }

  // Subscriptions

  /** Reloads the caller's rights and visible trackers. */
  async #renew() {
    const attachment = this.#attachment;
    const socket = this.#socket();
    if (!socket || !attachment) return;
    try {
      const principal = await guardOf(this.env, attachment.key).principal(attachment.key);
      if (!principal) return this.#logOut(socket);
      this.#renewAt = systemNow() + RENEWAL_INTERVAL_MS;
      this.#attachment = { ...attachment, time_zone: principal.time_zone, expires_at: principal.expires_at };
      this.ctx.storage.kv.put("attachment", this.#attachment);
      const before = this.#visible;
      const selection = await selectTrackers(this.env, principal, this.#subscriptions());
      this.#store(this.#subscriptions(), selection);
      const fresh = [...this.#visible].filter((id) => !before.has(id));
      const entries = await this.#subscribeToStates(principal, selection, fresh);
      for (const outlet of this.#buffers) outlet.putEntries(entries);
      this.#flush();
    } catch {
      // Without current rights nothing may be sent: the client has to connect again.
      this.#close(socket, 1013, "try again later");
    }
  }

  #subscribeToStates(principal: Principal, selection: TrackerSelection, fresh: number[]) {
    return subscribeToStates(
      this.env,
      { socket: this.#socketName(), principal, subscriptions: this.#subscriptions() },
      selection,
      fresh,
    );
  }

  #subscriptions(): Subscription[] {
    return this.#buffers.map(({ subscription }) => subscription);
  }

  #store(subscriptions: Subscription[], { trackers }: TrackerSelection) {
    const known = new Map(this.#buffers.map((outlet) => [outlet.key, outlet]));
    this.#buffers = subscriptions.map((one) => {
      const outlet = known.get(keyOf(one)) ?? this.#newBuffer(one);
      outlet.setSubscription(one);
      return outlet;
    });
    this.#visible = new Set(trackers.map(({ tracker_id }) => tracker_id));
    for (const outlet of this.#buffers) outlet.dropInvisible(this.#visible);
    this.ctx.storage.kv.put("subscriptions", subscriptions);
    this.ctx.storage.kv.put("visible", [...this.#visible]);
  }

  // Sending

  #newBuffer(subscription: Subscription) {
    return new SendBuffer(subscription, (of, states) => {
      const socket = this.#socket();
      if (socket && isClogged(socket)) return false;
      if (isQueried(of)) return this.#changeReader.sendChanges(of, states.map(Number));
      this.#sendStates(of, states);
      return true;
    });
  }

  #sendStates({ type }: Pick<Subscription, "type">, states: string[]) {
    const time = writeLocal(nowMs(this.env), this.#attachment?.time_zone ?? "UTC");
    for (const one of toEventFrames(type, states, time)) this.#socket()?.send(one);
  }

  #flush() {
    if (!this.#isHeld) for (const outlet of this.#buffers) outlet.flush();
  }

  // Closing

  #logOut(socket: WebSocket) {
    if (this.#buffers.length > 0) socket.send(toEventFrame("logout", JSON.stringify("session closed")));
    this.#close(socket, 1000, "session closed");
  }

  /** Does not wait for the removal: that takes long when many sockets close, and a log-out closes its sockets. */
  #close(socket: WebSocket, code: number, reason: string) {
    socket.close(code, reason);
    this.ctx.waitUntil(this.#deleteState());
  }

  async #deleteState() {
    const [attachment, name] = [this.#attachment, this.#socketName()];
    const network = this.ctx.storage.kv.get<string>("network");
    this.#buffers = [];
    this.#attachment = undefined;
    await withinClosingLimit(async () => {
      await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
      if (network !== undefined) await removeSocket(this.env, { network }, name);
      if (attachment) await detachSocket(this.env, attachment, name).catch(() => undefined);
    });
  }

  async #detach(before: Attachment, now: Attachment) {
    this.#store([], { trackers: [] });
    if (before.user_id !== now.user_id) await removeSocket(this.env, before, this.#socketName());
    await guardOf(this.env, before.key).detach(this.#socketName());
  }

  #socket(): WebSocket | undefined {
    return this.ctx.getWebSockets().find(({ readyState }) => readyState === WebSocket.OPEN);
  }

  #socketName(): string {
    return this.ctx.id.name ?? "";
  }

  get #heartbeatMs(): number {
    return Number(this.env.SOCKET_HEARTBEAT_SECONDS) * 1000;
  }

  /** Schedules the next heartbeat, or the end of the session if that is earlier. */
  async #scheduleAlarm() {
    const leftMs = (this.#attachment?.expires_at ?? Number.POSITIVE_INFINITY) - nowMs(this.env);
    const heartbeatAt = systemNow() + this.#heartbeatMs;
    await this.ctx.storage.setAlarm(Math.min(heartbeatAt, systemNow() + Math.max(0, leftMs)));
  }
}

/** Unanswered messages of one client; further ones get 15. */
const MAX_WAITING_MESSAGES = 20;
const MAX_IDLE_MS = 5 * MINUTE_MS;
const RENEWAL_INTERVAL_MS = MINUTE_MS;
