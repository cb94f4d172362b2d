import type { Sample } from "../sample.ts";

export const GEOCODER_SAMPLES: Record<string, Sample[]> = {
  "/geocoder/search_address": [
    { parameters: () => ({ q: "Munich, Germany", with_details: true }) },
    { parameters: () => ({ q: "48.137,11.575" }) },
  ],
  "/geocoder/search_location": [{ parameters: () => ({ location: { lat: 48.137, lng: 11.575 } }) }],
};
