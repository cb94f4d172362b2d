import type { Point } from "../point/point.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import type { Acknowledge, ReceiverSession } from "./receiver-session.ts";
import type { TcpConnection } from "./tcp-connection.ts";
import { answerTo, blackBoxPacket, dataPacket, loginPacket } from "./wialon-ips.ts";

/**
 * Sends several points in one black box packet; if the receiver accepts only some, the next ones are sent one by one.
 */
export async function openWialon(
  connection: TcpConnection,
  device_id: string,
  password: string | null,
): Promise<ReceiverSession> {
  let oneByOne = false;
  try {
    const answer = await ask("L", loginPacket(device_id, password));
    if (answer !== "1") throw new DeliveryFailure(`the receiver refused the log-in with ${answer || "nothing"}`);
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  return { maxPoints: MAX_POINTS_PER_PACKET, deliver, close: () => connection.close() };

  async function deliver(points: Point[], acknowledge: Acknowledge) {
    if (points.length === 1 || oneByOne) {
      oneByOne = false;
      for (const point of points) await deliverOne(point, acknowledge);
      return;
    }
    const answer = await ask("B", blackBoxPacket(points));
    const count = Number(answer);
    if (!/^\d+$/.test(answer) || count > points.length)
      throw new DeliveryFailure(`the receiver answered ${answer || "nothing"}`);
    oneByOne = count < points.length;
    if (count > 0) acknowledge(count);
    else await deliver(points, acknowledge);
  }

  async function deliverOne(point: Point, acknowledge: Acknowledge) {
    const code = await ask("D", dataPacket(point));
    if (code === "1") acknowledge(1);
    // The receiver will never accept this point: later points must not wait for it.
    else if (POINT_REFUSED.has(code)) acknowledge(1, `the receiver refused a point with ${code}`);
    else throw new DeliveryFailure(`the receiver answered ${code || "nothing"}`);
  }

  async function ask(type: "L" | "D" | "B", packet: string): Promise<string> {
    await connection.write(Buffer.from(packet));
    for (;;) {
      const answer = answerTo(type, Buffer.from(await connection.read(lineLength)).toString());
      if (answer !== undefined) return answer.slice(0, MAX_CODE_LENGTH);
    }
  }
}

function lineLength(bytes: Uint8Array) {
  const end = bytes.indexOf(NEWLINE);
  return end === -1 ? undefined : end + 1;
}

const NEWLINE = 10;
const MAX_POINTS_PER_PACKET = 100;
const MAX_CODE_LENGTH = 20;
/** Codes for a wrong time, position or value. */
const POINT_REFUSED = new Set(["0", "10", "11", "12", "13", "14", "15"]);
