import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The system that the development server passes calls on to. */
const { SYSTEM_URL = "http://127.0.0.1:8787" } = process.env;
const passOn = { target: SYSTEM_URL, ws: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The policy of the page allows no addresses of data for scripts and styles.
  build: { target: "es2022", assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  server: { proxy: { "/api-v2": passOn, "/console.json": passOn, "/health": passOn, "/docs": passOn } },
});
