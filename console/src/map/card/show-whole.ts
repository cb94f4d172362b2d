import type { Map as MapView, Popup } from "maplibre-gl";

/** Room between a card and the edges of the map; on the left are the buttons of the map. */
export const PADDING_PX = { top: 8, right: 8, bottom: 8, left: 54 };

/** Moves the map by as much as a card reaches over its edges, once the map stands still. */
export function showWhole(popup: Popup, view: MapView) {
  if (!popup.isOpen()) return;
  if (view.isMoving()) return void view.once("moveend", () => showWhole(popup, view));
  const card = popup.getElement().getBoundingClientRect();
  const map = view.getContainer().getBoundingClientRect();
  const overLeft = Math.max(map.left + PADDING_PX.left - card.left, 0);
  const overRight = Math.max(card.right - (map.right - PADDING_PX.right), 0);
  const overTop = Math.max(map.top + PADDING_PX.top - card.top, 0);
  const overBottom = Math.max(card.bottom - (map.bottom - PADDING_PX.bottom), 0);
  if (overLeft + overRight + overTop + overBottom > 0) view.panBy([overRight - overLeft, overBottom - overTop]);
}
