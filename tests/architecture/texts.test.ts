import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Words of the specification, of other products, and names of our screens, which keep their capitals. */
const capitalizedTerms = [
  "Promo Console|QR List|QR Generation|QR Code|Mass Generation|Mass Gen|Available Machines",
  "Assigned Machines|Manage Machines|Machine Promotions|Add Selected|Select All|Unselect All",
  "Unassign All|Try Again|Back to Home|Created After|Created Before|Serial Number",
  "Name of Controller|Download Archive|Download Options|Choose Your Avatar|Edit Profile",
  "Personal Information|Profile Overview|Save Changes|Save Password|User Edited|Current Password",
  "New Password|Confirm Password|Forgot Password|New User|Good Morning|Good Day|Good Evening",
  "Good Night|Under Development|Completed Promo|Free Drink Promos|Percentage Promos|Total Promos",
  "Promo Tracker|Machines by Activity|Recent Transactions|Latest Reports|Standard Webhooks",
  "Idempotency-Key|Samsung Internet|US Letter|SmartVend",
].join("|");

/** Names of screens and keys that stand within sentences. */
const capitalizedWords = [
  "Integrations|Keyboard|Machines|Single|Avery|Monday|JavaScript|Chrome|Enter|Escape|Tab|Bearer",
  "Origin|Referer|Authorization|Left|Right|I|README|English|German|French|Spanish",
].flatMap((line) => line.split("|"));

const isProduct = (file: string) => !/\.test\.|\/demo\/|\.css\.ts$|\.server\.tsx?$/.test(file);

/** Returns the parts of sentences in strings and between tags: 'Save view', 'Nothing matches'. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, "utf8").replace(
    /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import .*$/gm,
    "",
  );
  const literals = source.matchAll(/"([^"\n]*)"|`([^`]*)`|>([^<>{}=;()]+)</g);
  return [...literals]
    .flatMap(([, quoted, template, child]) => (quoted ?? template ?? child!).split(/\$\{.*?\}/))
    .flatMap((text) => text.replace(/\s+/g, " ").split(/[.?!:;–()"‘’“”|]\s*| - /))
    .map((text) => text.trim())
    .filter((text) => /^[A-Z][a-z]+ [A-Za-z ,'/-]*$/.test(text));
}

test("texts of screens have capitals at the beginning of a sentence and in terms only", () => {
  const terms = new RegExp(`\\b(${capitalizedTerms})\\b`, "g");
  const wrong = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `app/${file}`)
    .filter(isProduct)
    .flatMap((file) => textsOf(file).map((text) => ({ file, text })))
    .filter(({ text }) => {
      const [, ...words] = text.replace(terms, "Term").split(/[ ,/'-]+/);
      return words.some(
        (word) => /^[A-Z][a-z]/.test(word) && word !== "Term" && !capitalizedWords.includes(word),
      );
    });
  expect(wrong).toEqual([]);
});

test("the changelog tells each change once", () => {
  const entriesOf = (section: string) =>
    [...section.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, entry]) => entry!.replace(/\s+/g, " "));
  const releases = readFileSync("CHANGELOG.md", "utf8").split("\n## ").slice(1).map(entriesOf);
  const repeated = (texts: string[]) => texts.filter((text, index) => texts.indexOf(text) < index);
  expect(repeated(releases.flat())).toEqual([]);
  const beginnings = (entries: string[]) =>
    entries.map((entry) => entry.split(" ").slice(0, 7).join(" "));
  expect(releases.flatMap((entries) => repeated(beginnings(entries)))).toEqual([]);
});
