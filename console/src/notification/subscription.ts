import { call } from "../session/api.ts";
import { currentSession } from "../session/session.ts";

/** Why this browser cannot show notifications; `none`: it can, once the user allows it. */
export type Obstacle = "insecure" | "unsupported" | "denied" | "none";
/** Notifications that the user wants in this browser, and where they were bound last. */
type Stored = { login: string; filter: string; endpoint: string; session: string };

/** The browser, or the push service of its vendor, refused a subscription. */
export class SubscriptionError extends Error {}
/** The installation sends no notifications to browsers. */
export class NoPushError extends Error {}

const STORED = "fleet-notifications";
const WORKER = "/push-worker.js";

export function obstacleToPush(): Obstacle {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "denied" : "none";
}

/** Asks the user for the permission, subscribes this browser and binds it to the session. */
export async function switchOn(filter: string) {
  if ((await Notification.requestPermission()) !== "granted") return;
  await bind(filter, await subscribe());
}

/** Ends the notifications of the session and the browser's subscription. */
export async function switchOff() {
  localStorage.removeItem(STORED);
  await call("/user/session/push_token/delete");
  await (await currentSubscription())?.unsubscribe();
}

/** Whether the browser still has its subscription: the user may have withdrawn the permission in the browser. */
export async function isSubscribed(): Promise<boolean> {
  return obstacleToPush() === "none" && (await currentSubscription()) !== null;
}

/** Binds the notifications of this browser to a new session of the same user, or after the browser got another address. */
export async function renew() {
  const session = currentSession();
  const stored = readStored();
  if (session.status !== "open" || stored?.login !== session.login) return;
  if (obstacleToPush() !== "none" || Notification.permission !== "granted") return;
  const subscription = (await currentSubscription()) ?? (await subscribe());
  const isBound = subscription.endpoint === stored.endpoint && (await digest(session.hash)) === stored.session;
  if (!isBound) await bind(stored.filter, subscription);
}

async function bind(filter: string, subscription: PushSubscription) {
  const session = currentSession();
  if (session.status !== "open") return;
  const { p256dh, auth } = subscription.toJSON().keys ?? {};
  if (!p256dh || !auth) throw new SubscriptionError("The subscription has no keys.");
  const { endpoint } = subscription;
  const { delivery } = await call("/user/session/push_token/bind", {
    ...{ application: "w3c_pushapi", token: endpoint, parameters: { p256dh, auth }, category_filter: filter },
  });
  if (delivery === "none") throw new NoPushError();
  const stored: Stored = { login: session.login, filter, endpoint, session: await digest(session.hash) };
  localStorage.setItem(STORED, JSON.stringify(stored));
}

async function subscribe(): Promise<PushSubscription> {
  const { value: applicationServerKey } = await call("/push/vapid");
  const { pushManager } = await readyWorker();
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // A subscription for an earlier key of the installation stands in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch((thrown) => {
      throw new SubscriptionError(String(thrown));
    });
  }
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function readStored(): Stored | undefined {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Tells sessions apart without keeping their hash. */
async function digest(hash: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(hash)));
  return [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
