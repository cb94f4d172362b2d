// A page that subscribes to the notifications of its user; `hash` is that of the session.
export async function subscribe(baseUrl, hash) {
  const post = async (path, parameters) => {
    const body = JSON.stringify({ hash, ...parameters });
    return (
      await fetch(baseUrl + path, { method: "POST", headers: { "Content-Type": "application/json" }, body })
    ).json();
  };
  const { value } = await post("/push/vapid");
  const worker = await navigator.serviceWorker.register("/push-worker.js");
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: value });
  const { endpoint, keys } = subscription.toJSON();
  return post("/user/session/push_token/bind", {
    application: "w3c_pushapi",
    token: endpoint,
    parameters: keys,
    category_filter: "history_rule,history_task",
  });
}
