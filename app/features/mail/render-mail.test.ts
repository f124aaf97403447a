import { expect, it } from "vitest";
import { renderMail } from "./render-mail";

const subjectOf = (subject: string) => renderMail({ subject, paragraphs: [] }, "Site").subject;

it("ends a long subject with a whole character", () => {
  const start = "a".repeat(199);
  expect(subjectOf(`${start}bc`)).toBe(`${start}b`);
  expect(subjectOf(`${start}🥤🥤`)).toBe(`${start}🥤`);
});
