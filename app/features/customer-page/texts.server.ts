/** The words of the page that customers see, and of mails and cards with a code. */
import type { Language } from "./languages";
import { de, es, fr } from "./translations.server";

const en = {
  percentOff: (percent: string) => `${percent} off`,
  drinks: (count: number) => (count === 1 ? "1 free drink" : `${count} free drinks`),
  forOnePurchase: "for one purchase",
  everyMonth: "every month",
  usesLeft: (left: number, of: number) => `${left} of ${of} left`,
  usable: "You can use this code now.",
  showToMachine: "Show this QR code to the machine.",
  notNow: "This code can’t be used at the moment.",
  expired: "This code has expired.",
  used: "This code has been used.",
  noMachine: "No machine accepts this code at the moment.",
  usableFrom: (time: string) => `This code can be used from ${time}.`,
  usableAgainFrom: (time: string) => `It can be used again from ${time}.`,
  somePrices: "Some products are excluded or get a smaller discount.",
  code: "Code",
  qrCode: "QR code",
  validFrom: "Valid from",
  validUntil: "Valid until",
  noEnd: "No end date",
  hours: "Hours",
  always: "At any time",
  daily: "Daily",
  /** Follows days of the week. */
  allDay: "all day",
  notOn: "Not on",
  timeZone: "Time zone",
  machines: "Machines",
  /** Follows a list that was cut. */
  more: (count: number) => `and ${count} more`,
  unknown: "We don’t know this code.",
  isComplete: "Check that it is complete.",
  questions: "Questions?",
  askGiver: "Ask whoever gave you the code.",
  tooMany: "Too many requests. Please try again in a minute.",
  mailSubject: (gift: string, name: string) => `${gift} from ${name}`,
  mailIntroduction: (name: string) => `${name} sends you a code for our machines.`,
  mailImage:
    "The attached picture is its QR code: show it to the machine on your phone or on paper.",
  openPage: "Show the code and where it can be used",
};

export type CustomerTexts = typeof en;

export const customerTexts: Record<Language, CustomerTexts> = { en, de, fr, es };
