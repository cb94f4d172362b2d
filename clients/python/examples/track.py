"""Registers a tracker, sends points as a device does, reads the track and makes a report of its trips."""

import os
from datetime import UTC, datetime, timedelta

import httpx

from fleet_monitoring_client import FleetClient, Login

base_url = os.environ["FLEET_URL"]
start = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(hours=1)
device_id = f"87{int(start.timestamp() * 1000)}"  # 15 digits

with FleetClient(base_url, Login(os.environ["FLEET_LOGIN"], os.environ["FLEET_PASSWORD"])) as fleet:
    tracker = fleet.call(
        "/tracker/register",
        {"label": "Van 7", "group_id": 0, "model": "generic_gps", "plugin_id": 44, "device_id": device_id},
    )["value"]

    for minute in range(20):
        timestamp = int((start + timedelta(minutes=minute)).timestamp())
        point = f"id={device_id}&timestamp={timestamp}&lat={52 + minute / 100}&lon=13&speed=40"
        httpx.get(f"{base_url}/ingest/osmand?{point}", timeout=60).raise_for_status()

    first, last = start.isoformat(), (start + timedelta(minutes=30)).isoformat()
    track = fleet.call(
        "/track/read", {"tracker_id": tracker["id"], "simplify": False, "from": first, "to": last}
    )["list"]
    print(f"{len(track)} points from {track[0]['get_time']}")

    report = fleet.report({"trackers": [tracker["id"]], "from": first, "to": last, "plugin": {"plugin_id": 4}})
    print(f"the report has {len(report['report']['sheets'])} sheet")
