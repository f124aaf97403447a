import type { Currency } from "./money";

/** The name of a site whose admins have set no other. */
export const productName = "Promo Console";

export const themes = { default: "Default", secondary: "Secondary", success: "Success" };

export type WeekStart = "monday" | "sunday";

/** How the site writes times and money, and when its weeks begin. Loaders format; browsers get texts. */
export type SiteFormat = {
  /** IANA zone. */
  timeZone: string;
  currency: Currency;
  weekStart: WeekStart;
};

/** Facts of the site that all pages show. */
export type SiteView = {
  name: string;
  weekStart: WeekStart;
  logo?: { src: string; width: number; height: number };
};
