"""Makes a vehicle, lists all vehicles page by page, and shows what a refusal looks like."""

import os
import uuid

from fleet_monitoring_client import ApiError, FleetClient, Login

login = Login(os.environ["FLEET_LOGIN"], os.environ["FLEET_PASSWORD"])
with FleetClient(os.environ["FLEET_URL"], login) as fleet:
    # With the key the call may be repeated: it makes one vehicle, also if its answer is lost.
    made = fleet.call(
        "/vehicle/create", {"vehicle": {"label": "Van 7", "max_speed": 120}}, idempotency_key=str(uuid.uuid4())
    )
    vehicle = fleet.call("/vehicle/read", {"vehicle_id": made["id"]})["value"]
    print(f"made {vehicle['label']}, at most {vehicle['max_speed']} km/h")

    for one in fleet.each("/vehicle/list", {"sort": ["label=asc"]}):
        print(f"found {one['label']}")

    try:
        fleet.call("/vehicle/create", {"vehicle": {"label": ""}})
    except ApiError as refusal:
        for wrong in refusal.errors:
            print(f"refused with {refusal.code}: {wrong.parameter} {wrong.error}")

    fleet.call("/vehicle/delete", {"vehicle_id": made["id"]})
