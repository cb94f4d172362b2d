// Shows what the record of a check-in proves. Argument: the check-in.
import { setTimeout } from "node:timers/promises";
import { baseUrl, post } from "./post.js";

const checkin_id = Number(process.argv[2]);
let record;
while (!record) {
  record = (await post("/checkin/record/read", { checkin_id })).value;
  if (!record) await setTimeout(1000);
}
const answer = await fetch(`${baseUrl}/checkin/verify?record=${record.token}`); // without a hash
const { value } = await answer.json();
console.log(value.valid, value.unchanged, value.is_signed, value.is_chained, value.files.length);
