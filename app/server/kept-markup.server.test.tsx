import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { cachedMarkup, withKeptMarkup } from "./kept-markup.server";

const partOf = (key: string, text: string, render = vi.fn()) => {
  const __html = cachedMarkup(key, () => (render(), (<td className="name">{text}</td>)));
  // eslint-disable-next-line no-restricted-syntax -- as pages use it
  return <tr dangerouslySetInnerHTML={{ __html }} />;
};

const page = (row: JSX.Element) =>
  withKeptMarkup(renderToStaticMarkup(<tbody title="<!--part 0-->">{row}</tbody>));

test("a part is rendered once and stands short in each page that has it", () => {
  const render = vi.fn();
  const first = page(partOf("a", "Airport", render));
  expect(first).toContain("<tr><td class=name>Airport</tr>");
  expect(page(partOf("a", "Airport", render))).toBe(first);
  expect(render).toHaveBeenCalledOnce();
  expect(page(partOf("b", "Station"))).toContain("<tr><td class=name>Station</tr>");
});

test("text that looks like the mark of a part stays text", () => {
  partOf("secret", "of somebody else");
  const marks = [0, 1, 2, 3].map((index) => `<!--part ${index}-->`).join("");
  expect(page(partOf("typed", marks))).not.toContain("of somebody else");
});

test("parts are forgotten when there are many, and made anew", () => {
  for (let index = 0; index < 5_000; index++) partOf(`row ${index}`, "x");
  const render = vi.fn();
  partOf("row 1", "x", render);
  expect(render).not.toHaveBeenCalled();
  expect(page(partOf("row 1", "x", render))).toContain("<td class=name>x");
  expect(page(partOf("row 1", "x", render))).toContain("<td class=name>x");
  expect(render).toHaveBeenCalledOnce();
});
