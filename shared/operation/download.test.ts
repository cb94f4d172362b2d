import { expect, test } from "vitest";
import { downloadHeaders } from "./download.ts";

test("downloadHeaders name the file like the document, whatever letters are in its name", () => {
  expect(downloadHeaders("track-Van 7 2024-05-02 08:00:00.kml", "application/pdf")).toEqual({
    "Content-Type": "application/pdf",
    "Content-Disposition":
      "attachment; filename=\"track-Van 7 2024-05-02 08:00:00.kml\"; filename*=UTF-8''track-Van%207%202024-05-02%2008%3A00%3A00.kml",
  });
  expect(downloadHeaders('a"\r\n/\\ü\ud800(*).kmz', "x/y")["Content-Disposition"]).toBe(
    "attachment; filename=\"a_______(*).kmz\"; filename*=UTF-8''a%22____%C3%BC%EF%BF%BD%28%2a%29.kmz",
  );
  expect(downloadHeaders("photo\u202egpj.exe", "x/y")["Content-Disposition"]).toContain(
    "filename*=UTF-8''photo_gpj.exe",
  );
});
