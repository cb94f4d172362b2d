export function FleetView(_: { trackers: unknown; choice: unknown }) {
  return null;
}
