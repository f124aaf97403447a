import { expect, it } from "vitest";
import { csvFile } from "./csv.server";

async function* pages(...numbers: number[][]) {
  for (const page of numbers) yield await Promise.resolve(page);
}

async function textOf(file: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const chunk of file) text += chunk;
  return text;
}

it("writes headings and rows, with a chunk for each page", async () => {
  const file = csvFile([["Number", (number: number) => number]], pages([1, 2], [], [3]));
  const chunks: string[] = [];
  for await (const chunk of file) chunks.push(chunk);
  expect(chunks).toEqual(["\ufeffNumber\r\n1\r\n2\r\n", "3\r\n"]);
});

it("writes the headings of a file without rows", async () => {
  expect(await textOf(csvFile([["Number", () => 1]], pages()))).toBe("\ufeffNumber\r\n");
});

it("lets other work go on between rows, however slow they are", async () => {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const slow = () => {
    const end = performance.now() + 5;
    while (performance.now() < end);
    return 1;
  };
  await textOf(csvFile([["Number", slow]], pages(Array<number>(40).fill(1))));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});
