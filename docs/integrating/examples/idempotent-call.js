// Makes a vehicle once, although no answer may come to the first attempts.
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { post } from "./post.js";

const headers = { "Idempotency-Key": randomUUID() };
let made;
while (!made) {
  made = await post("/vehicle/create", { vehicle: { label: "Van 7" } }, headers).catch(async ({ reply }) => {
    if (reply && reply.status.code !== 15) throw reply;
    await setTimeout(5000);
  });
}
console.log(`vehicle ${made.id}`);
