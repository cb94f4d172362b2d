import { box, type Shape } from "./picture.ts";

/** Drawings that stand for the photographs of drivers: recorded ones would show real people and places. */
export const SCENES: Record<string, Shape[]> = {
  "gate.png": [
    box("C9D3DA", 0, 0, 800, 460),
    ...rows(6, (index) => box("BBC7CF", 0, index * 78, 800, 3)),
    box("8F979C", 0, 460, 800, 140),
    box("5B6770", 250, 70, 300, 390),
    ...rows(9, (index) => box("6E7B85", 262 + index * 31, 80, 18, 370)),
    box("3E474E", 250, 255, 300, 14),
    box("2E5B8A", 600, 150, 70, 90),
    box("F2F4F5", 612, 165, 46, 12),
    box("F2F4F5", 612, 187, 46, 12),
    ...parcel(90, 380, 130),
    ...parcel(205, 430, 90),
    ...parcel(125, 313, 84),
  ],
  "kitchen.png": [
    box("E8ECEA", 0, 0, 800, 420),
    ...rows(8, (index) => box("D5DCD9", index * 100, 0, 3, 420)),
    ...rows(5, (index) => box("D5DCD9", 0, index * 100, 800, 3)),
    box("A8867A", 0, 420, 800, 180),
    box("B9C2C8", 60, 90, 260, 350),
    box("D3DADF", 70, 100, 240, 330),
    box("7D868C", 285, 220, 10, 90),
    box("3C8C5A", 95, 125, 70, 34),
    box("AEB7BD", 400, 300, 340, 16),
    box("8C959B", 415, 316, 14, 150),
    box("8C959B", 710, 316, 14, 150),
    ...crate("3D7FB8", 430, 240),
    ...crate("3D7FB8", 560, 240),
    ...crate("C8643C", 495, 180),
  ],
  "door.png": [
    box("DCD6CB", 0, 0, 800, 600),
    box("B6AFA2", 0, 520, 800, 80),
    box("6B7A86", 210, 60, 380, 470),
    box("8C9BA7", 228, 78, 344, 452),
    box("7B8A96", 256, 110, 288, 170),
    box("7B8A96", 256, 310, 288, 190),
    { color: "D8B24A", circle: [540, 300, 15] },
    box("F4F4F0", 560, 130, 96, 60),
    box("2F3A42", 572, 142, 72, 36),
    { color: "5BD06B", circle: [590, 160, 9] },
  ],
  "truck.png": [
    box("BFD4E4", 0, 0, 800, 380),
    { color: "DCE7EE", circle: [170, 110, 60] },
    { color: "DCE7EE", circle: [240, 120, 46] },
    box("9AA79B", 0, 380, 800, 60),
    box("6F7478", 0, 440, 800, 160),
    box("F1F3F4", 110, 140, 430, 290),
    box("2E7D5B", 110, 330, 430, 34),
    {
      color: "2E7D5B",
      polygon: [
        [550, 230],
        [660, 230],
        [710, 330],
        [710, 430],
        [550, 430],
      ],
    },
    {
      color: "BFE0EE",
      polygon: [
        [590, 250],
        [648, 250],
        [684, 325],
        [590, 325],
      ],
    },
    box("3A3F42", 100, 425, 620, 18),
    ...wheel(210),
    ...wheel(300),
    ...wheel(630),
  ],
  "road.png": [
    box("AEB9C1", 0, 0, 800, 270),
    {
      color: "7C8F6A",
      polygon: [
        [0, 250],
        [180, 180],
        [390, 262],
        [610, 170],
        [800, 240],
        [800, 340],
        [0, 340],
      ],
    },
    box("8FA070", 0, 300, 800, 300),
    {
      color: "8A6E50",
      polygon: [
        [370, 300],
        [440, 300],
        [720, 600],
        [90, 600],
      ],
    },
    {
      color: "6E553B",
      polygon: [
        [388, 300],
        [396, 300],
        [300, 600],
        [210, 600],
      ],
    },
    {
      color: "6E553B",
      polygon: [
        [414, 300],
        [422, 300],
        [600, 600],
        [510, 600],
      ],
    },
    { color: "9DB0BB", circle: [405, 505, 34] },
    { color: "9DB0BB", circle: [440, 515, 28] },
    ...rows(7, (index) => box("5E4A36", 30 + index * 36, 330 + index * 4, 6, 60)),
  ],
};

function rows(count: number, draw: (index: number) => Shape): Shape[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

function parcel(left: number, top: number, size: number): Shape[] {
  return [
    box("C69A6A", left, top, size, size * 0.8),
    box("B5885A", left, top, size, size * 0.14),
    box("E2C79C", left + size * 0.42, top, size * 0.16, size * 0.8),
    box("F5F2EA", left + size * 0.08, top + size * 0.42, size * 0.28, size * 0.2),
  ];
}

function crate(color: string, left: number, top: number): Shape[] {
  return [
    box(color, left, top, 120, 60),
    box("F4F6F7", left + 12, top + 14, 96, 8),
    box("F4F6F7", left + 45, top + 34, 30, 12),
  ];
}

function wheel(x: number): Shape[] {
  return [
    { color: "23272A", circle: [x, 445, 42] },
    { color: "9AA0A4", circle: [x, 445, 19] },
  ];
}
