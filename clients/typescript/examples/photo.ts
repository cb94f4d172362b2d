// Uploads a photo, which goes on where it stopped if the network breaks off, and makes a check-in with it.
import { FleetClient } from "fleet-monitoring-client";

const { FLEET_URL: baseUrl = "", FLEET_LOGIN: login = "", FLEET_PASSWORD: password = "" } = process.env;
const fleet = new FleetClient({ baseUrl, credentials: { login, password } });

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const photo = new Blob([Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0))]);

const { value: ticket } = await fleet.call("/checkin/image/create", { size: photo.size, filename: "door.png" });
const { file_id } = await fleet.upload(ticket, photo);

const { list } = await fleet.call("/tracker/list");
const [tracker] = list;
if (!tracker) throw new Error("The account has no tracker.");
const location = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const { id } = await fleet.call("/checkin/create", { tracker_id: tracker.id, location, file_ids: [file_id] });
console.log(`check-in ${id} with one photo`);
