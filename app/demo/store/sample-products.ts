import type { Product } from "./product";

const kinds = {
  Trainers: {
    type: "trainers" as const,
    picture: "trainers",
    subtitle: "Sneakers for every day",
    hashtag: "#sneakers",
    technology: ["Ollie", "Flyknit", "Air"],
    text: "Light trainers with a soft sole, made for long days on hard floors.",
  },
  Boots: {
    type: "boots" as const,
    picture: "boots",
    subtitle: "Boots for wet weather",
    hashtag: "#boots",
    technology: ["Waterproof", "Vibram"],
    text: "Sturdy boots that keep the water out and the warmth in.",
  },
  "Flat sandals": {
    type: "shoes" as const,
    picture: "sandals",
    subtitle: "Sandals for hot days",
    hashtag: "#sandals",
    technology: ["Cork", "Leather"],
    text: "Open sandals with a footbed that takes the shape of the foot.",
  },
};
const returns =
  "The upper is stitched by hand. Clean it with a damp cloth and let it dry away from heat.";

type Row = [
  title: keyof typeof kinds,
  price: number,
  discount: number,
  rating: number,
  brand: Product["brand"],
  color: Product["color"],
  orders: number,
  ...sizes: number[],
];

const rows: Row[] = [
  ["Trainers", 76, 0, 4.6, "adidas", "white", 320, 7, 8, 9],
  ["Boots", 112, 10, 4.1, "nike", "black", 210, 9, 10, 11],
  ["Flat sandals", 36, 0, 3.9, "adidas", "black", 95, 7, 8],
  ["Trainers", 84, 5, 4.8, "nike", "black", 412, 8, 9, 10, 11],
  ["Boots", 129, 0, 4.4, "adidas", "white", 150, 10, 11, 12],
  ["Flat sandals", 42, 15, 4.0, "nike", "white", 130, 8, 9],
  ["Trainers", 99, 0, 4.3, "adidas", "black", 276, 9, 10, 12.5],
  ["Boots", 140, 20, 4.7, "nike", "white", 188, 11, 12, 13],
  ["Flat sandals", 29, 0, 3.5, "adidas", "white", 64, 7],
  ["Trainers", 68, 0, 4.2, "nike", "white", 233, 7, 9, 11],
  ["Boots", 118, 0, 4.5, "adidas", "black", 171, 8, 10, 12.5],
  ["Flat sandals", 33, 5, 3.8, "nike", "black", 82, 8, 9, 13],
];

/** The state of its last order, which sample products have alone. */
const orderStates = [
  { status: "Shipped", process: "64%" },
  { status: "Delivered", process: "100%" },
  { status: "Canceled", process: "0%" },
] as const;

/** The products that a database begins with, and all that there are with `DEMO_PAGES=sample`. */
export const sampleProducts: readonly Product[] = rows.map(
  ([title, price, discount, rating, brand, color, orders, ...sizes], index) => {
    const { picture, text, ...kind } = kinds[title];
    return {
      title,
      price,
      discount,
      rating,
      brand,
      color,
      orders,
      sizes,
      ...kind,
      ...orderStates[Math.floor(index / 3) % 3],
      id: index + 1,
      img: `${picture}-${color}`,
      description_1: text,
      description_2: returns,
      code: `DEMO-${100 + index + 1}`,
      version: 1,
    };
  },
);
