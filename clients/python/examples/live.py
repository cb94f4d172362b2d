"""Follows the states of all trackers and stops after the first message."""

import os

from fleet_monitoring_client import FleetClient, Login

with FleetClient(os.environ["FLEET_URL"], Login(os.environ["FLEET_LOGIN"], os.environ["FLEET_PASSWORD"])) as fleet:
    requests = [{"type": "state_batch", "target": {"type": "all"}, "rate_limit": "5s"}]
    for message in fleet.live(requests):
        print(message.event, len(message.data))
        break
