import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { listenOnLoopback } from "../../test/tool/listen.ts";

const STEP_DEGREES = 0.0003;

/**
 * Stands in front of a system and plays a fleet for its console: answers the list of trackers, and sends all states each
 * second, as if every tracker moved at 100 km/h. Everything else is the system's own answer.
 */
export async function playFleet(origin: string, size: number) {
  const list = JSON.stringify({ success: true, list: Array.from({ length: size }, (_, index) => trackerOf(index)) });
  const server = createServer((asked, answer) => {
    if (asked.url === "/api-v2/tracker/list") {
      void text(asked).then(() => answer.setHeader("Content-Type", "application/json").end(list));
      return;
    }
    const { url = "/", method, headers } = asked;
    const passed = request(origin + url, { method, headers }, (reply) => {
      reply.pipe(answer.writeHead(reply.statusCode ?? 502, reply.headers));
    });
    asked.pipe(passed);
  });
  const sockets = new WebSocketServer({ server, path: "/api-v2/event/subscription" });
  sockets.on("connection", (socket) => {
    let second = 0;
    socket.send("bench|30000|X|");
    socket.once("message", () => {
      const subscribed = { type: "response", action: "subscription/subscribe", events: ["state_batch"], data: {} };
      socket.send(JSON.stringify(subscribed));
      socket.send(messageOf(size, second));
      const timer = setInterval(() => socket.send(messageOf(size, ++second)), 1000);
      socket.once("close", () => clearInterval(timer));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    /** A message of the socket, for those who want to know what reading it costs. */
    message: messageOf(size, 0),
    stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

function trackerOf(index: number) {
  const id = index + 1;
  const source = { id, device_id: `${86_000_000_000_000 + index}`, model: "generic_gps", blocked: false, tariff_id: 1 };
  return {
    ...{ id, label: `Truck ${id}`, clone: false, group_id: 0, tag_bindings: [] },
    source: { ...source, status_listing_id: null, creation_date: "2026-01-01", tariff_end_date: null, phone: null },
  };
}

/** All states after so many seconds, spread over Europe; four of five trackers move. */
function messageOf(size: number, second: number): string {
  const time = new Date().toISOString().slice(0, 19).replace("T", " ");
  const data = Array.from({ length: size }, (_, index) => {
    const lat = 36 + ((index * 7919) % 2000) / 100 + second * STEP_DEGREES;
    const lng = -8 + ((index * 104_729) % 3600) / 100 + second * STEP_DEGREES;
    const movement_status = index % 5 === 0 ? "parked" : "moving";
    return {
      source_id: index + 1,
      gps: { updated: time, signal_level: 90, location: { lat, lng }, heading: 45, speed: 100, alt: 0 },
      ...{ connection_status: "active", movement_status, movement_status_update: time, last_update: time },
    };
  });
  return JSON.stringify({ type: "event", event: "state_batch", user_time: time, data });
}
