import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Names of the product, of screens and of figures that the specification has. */
const specifiedNames = [
  "Promo Console|QR List|QR Generation|Single QR Code|Mass Generation|Mass Gen|Promo Tracker",
  "Completed Promo|Free Drink Promos|Percentage Promos|Total Promos|Active promos",
  "Machine Promotions|Name of Controller|Download QR",
  // Not 'QR' alone.
  "QR codes|QR code",
].join("|");

/** Sentences of the specification, whole. */
const specifiedTexts = [
  "This promotion is deleted",
  "Error: Promotion not found",
  "Promotion created successfully",
  "Promotion successfully deactivated",
  "Promotion successfully deleted",
  "Error creating promotion",
  "Error deactivating promotion",
  "Error deleting promotion",
  "Error deleting mass generation",
  "Confirm deletion of mass generation",
  "Are you sure you want to unassign all machines from this promotion?",
  "Failed to fetch promotions: The server could not answer",
  "Failed to fetch promotions:",
  "All associated promotions are also marked deleted: machines will refuse them until an admin restores the campaign.",
];

/** The type of a campaign, where it stands beside 'single code'. */
const typeOfCampaign = [
  "mass generation",
  "whole mass generation",
  "Mass generations",
  "Continue as mass generation",
];

/** Texts that nobody reads, or that are not about the product's words. */
const otherTexts = ["Close without saving", "Saving...", "promo-console backup"];

/** Tells whether a file writes the API, where the specification's paths and fields have this word. */
const isApi = (file: string) => file.startsWith("app/http/operations/");

const rows = [
  ...readFileSync("app/RULES.md", "utf8")
    .split("## Words of the product (G)")[1]!
    .split("\n## ")[0]!
    .matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
].map((row) => row.slice(1).map((cell) => cell.trim()));
const [, , ...words] = rows as [string, string, string][];
const forbidden = words.flatMap(([, , not]) => not.split(", "));
const pattern = new RegExp(`(?<![-\\w/])(${forbidden.join("|")})s?(?![-\\w@.])`, "gi");

const takesNoun = /^(countOf|alreadyDone|describeSuccess|prefillFrom|generations)$/;

/** Returns true for a word alone that ends up in a sentence: `countOf(3, "code")`, `noun: "code"`. */
function isNoun({ parent }: ts.Node): boolean {
  if (ts.isCallExpression(parent)) return takesNoun.test(parent.expression.getText());
  return (
    (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent)) &&
    /noun/i.test(parent.name.getText())
  );
}

const isSql = (text: string) =>
  /^vacuum |[_=]|\(select |\b(ilike|null|as [a-z]+$)\b|\b[a-z]\.[a-z]|^\(?\w+ [a-z]$/.test(text);

/** Returns the texts of a source that people may read; `{}` stands for what is computed. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const add = (text: string, node: ts.Node) => {
    const line = text.replace(/\s+/g, " ").trim();
    if (!isSql(line) && (/^[A-Z]| /.test(line) || isNoun(node))) texts.push(line);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node.text, node);
    if (ts.isTemplateExpression(node)) {
      const ends = node.templateSpans.map(({ literal }) => `{}${literal.text}`);
      add(node.head.text + ends.join(""), node);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return texts;
}

function wrongWords(file: string, text: string): string[] {
  if ([...specifiedTexts, ...typeOfCampaign, ...otherTexts].includes(text)) return [];
  const names = new RegExp(`(${specifiedNames})`, "g");
  const own = isApi(file) ? text.replace(/mass generations?/gi, "") : text;
  return own.replace(names, "").match(pattern) ?? [];
}

test("the table of words has a list of words to avoid in each row", () => {
  expect(words.length).toBeGreaterThan(5);
  expect(words.filter((row) => row.length !== 3 || row.some((cell) => cell === ""))).toEqual([]);
});

const sources = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|\.css\.ts$|^demo\/|\/translations\./.test(file),
  )
  .map((file) => `app/${file}`)
  .map((file) => ({ file, source: readFileSync(file, "utf8") }));

test("screens, mails and the API use one word for each idea", () => {
  const wrong = sources
    .filter(({ source }) => source.search(pattern) >= 0)
    .flatMap(({ file, source }) =>
      textsOf(file, source)
        .filter((text) => wrongWords(file, text).length > 0)
        .map((text) => ({ file, text })),
    );
  expect(wrong).toEqual([]);
});

test("names stand in double quotes and words of the interface in single ones, none of them curly", () => {
  const curly = sources.filter(({ source }) => /[‘’“”]/.test(source)).map(({ file }) => file);
  // Customers read typeset texts, as their translations are.
  expect(curly).toEqual(["app/features/customer-page/texts.server.ts"]);
});
