"""Uploads a photo, which goes on where it stopped if the network breaks off, and makes a check-in with it."""

import base64
import os

from fleet_monitoring_client import FleetClient, Login

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
photo = base64.b64decode(PIXEL)

with FleetClient(os.environ["FLEET_URL"], Login(os.environ["FLEET_LOGIN"], os.environ["FLEET_PASSWORD"])) as fleet:
    ticket = fleet.call("/checkin/image/create", {"size": len(photo), "filename": "door.png"})["value"]
    file_id = fleet.upload(ticket, photo)

    tracker = fleet.call("/tracker/list")["list"][0]
    checkin = fleet.call(
        "/checkin/create",
        {
            "tracker_id": tracker["id"],
            "location": {"lat": 52.5, "lng": 13.4, "address": "Dock 4"},
            "file_ids": [file_id],
        },
    )
    print(f"check-in {checkin['id']} with one photo")
