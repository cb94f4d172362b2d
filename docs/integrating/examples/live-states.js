// Follows the states of all trackers. It runs in Node 22 and newer, and without the first line in a browser.
import { baseUrl, hash } from "./post.js";

function connect() {
  const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/event/subscription`);
  const requests = [{ type: "state_batch", target: { type: "all" }, rate_limit: "5s", format: "compact" }];
  socket.onopen = () => socket.send(JSON.stringify({ action: "subscribe", hash, requests }));
  socket.onmessage = ({ data }) => {
    if (!data.startsWith("{")) return; // the handshake, a heartbeat
    const { type, event, data: states, status } = JSON.parse(data);
    if (type === "error") console.error(status.description);
    if (event === "state_batch") for (const { source_id, gps } of states) console.log(source_id, gps.location);
    if (event === "logout") process.exit();
  };
  socket.onclose = () => setTimeout(connect, 5000);
}
connect();
