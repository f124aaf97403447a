/** The words of the page that customers see, and of mails and cards with a code. */
import type { Language } from "./languages";
import { de, es, fr } from "./translations.server";

export type CustomerWords = {
  percentOff: (percent: string) => string;
  drinks: (count: number) => string;
  forOnePurchase: string;
  everyMonth: string;
  usesLeft: (left: number, of: number) => string;

  usable: string;
  showToMachine: string;
  notNow: string;
  expired: string;
  used: string;
  noMachine: string;
  usableFrom: (time: string) => string;
  usableAgainFrom: (time: string) => string;
  somePrices: string;

  code: string;
  qrCode: string;
  validFrom: string;
  validUntil: string;
  noEnd: string;
  hours: string;
  always: string;
  daily: string;
  notOn: string;
  timeZone: string;
  machines: string;
  /** Follows a list that was cut. */
  more: (count: number) => string;

  unknown: string;
  isComplete: string;
  questions: string;
  askGiver: string;
  tooMany: string;

  mailSubject: (gift: string, name: string) => string;
  mailIntroduction: (name: string) => string;
  mailImage: string;
  openPage: string;
};

const en: CustomerWords = {
  percentOff: (percent) => `${percent} off`,
  drinks: (count) => (count === 1 ? "1 free drink" : `${count} free drinks`),
  forOnePurchase: "for one purchase",
  everyMonth: "every month",
  usesLeft: (left, of) => `${left} of ${of} left`,
  usable: "You can use this code now.",
  showToMachine: "Show this QR code to the machine.",
  notNow: "This code can’t be used at the moment.",
  expired: "This code has expired.",
  used: "This code has been used.",
  noMachine: "No machine accepts this code at the moment.",
  usableFrom: (time) => `This code can be used from ${time}.`,
  usableAgainFrom: (time) => `It can be used again from ${time}.`,
  somePrices: "Some products are excluded or get a smaller discount.",
  code: "Code",
  qrCode: "QR code",
  validFrom: "Valid from",
  validUntil: "Valid until",
  noEnd: "No end date",
  hours: "Hours",
  always: "At any time",
  daily: "Daily",
  notOn: "Not on",
  timeZone: "Time zone",
  machines: "Machines",
  more: (count) => `and ${count} more`,
  unknown: "We don’t know this code.",
  isComplete: "Check that it is complete.",
  questions: "Questions?",
  askGiver: "Ask whoever gave you the code.",
  tooMany: "Too many requests. Please try again in a minute.",
  mailSubject: (gift, name) => `${gift} from ${name}`,
  mailIntroduction: (name) => `${name} sends you a code for our machines.`,
  mailImage:
    "The attached picture is its QR code: show it to the machine on your phone or on paper.",
  openPage: "Show the code and where it can be used",
};

export const customerWords: Record<Language, CustomerWords> = { en, de, fr, es };
