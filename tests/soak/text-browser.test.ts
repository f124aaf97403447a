import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dataFolder, startApp } from "../support/app";
import { decodeQr } from "../support/decode-qr";

const email = "admin@example.com";
const password = "a password of the tests";

/** Opens a page in w3m, on a terminal of its own, with an empty home folder that is its working folder. */
function openInW3m(address: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "promo-w3m-"));
  const terminal = spawn(
    "script",
    ["-qfec", `stty rows 200 cols 120; exec w3m ${address}`, "/dev/null"],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TERM: "xterm",
        LANG: "C.UTF-8",
      } as unknown as NodeJS.ProcessEnv,
    },
  );
  let screen = "";
  terminal.stdout.on("data", (chunk) => (screen += chunk));
  onTestFinished(() => {
    terminal.kill();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    press: (keys: string) => void terminal.stdin.write(keys),
    /** Waits until the page says something, drawing it anew. */
    sees: (text: string | RegExp) =>
      expect
        .poll(
          () => {
            // eslint-disable-next-line no-control-regex -- the terminal moves over spaces instead of writing them.
            const drawn = screen.replace(/(\x1b(\[[\d;?]*[a-zA-Z]|[()]\w|[=>])|\s)+/g, " ");
            screen = "";
            terminal.stdin.write("\f");
            return drawn;
          },
          { timeout: 20_000, interval: 500 },
        )
        .toMatch(text),
  };
}

/** Keys of w3m: moves to a text, follows the link or presses the button there, fills the next field. */
const find = (text: string) => `/${text}\r`;
const follow = (text: string) => `${find(text)}\r`;
const fill = (label: string, value: string) => `${find(label)}\t\r${value}\r`;

it(
  "a promotion is created, found and downloaded in a text browser",
  { timeout: 90_000 },
  async ({ skip }) => {
    try {
      execFileSync("w3m", ["-version"]);
    } catch {
      skip("w3m is not installed");
    }
    const app = await startApp({
      DATA_DIR: dataFolder(),
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    });
    await app.ready();
    const w3m = openInW3m(`${app.origin}/login`);
    await w3m.sees("Login");
    w3m.press(`${fill("Email", email)}\t\r${password}\r\t\r`);
    await w3m.sees("Hi, Admin");

    w3m.press(follow("QR Generation"));
    await w3m.sees("Create code");
    w3m.press(
      `${fill("Shown in the list", "Text browser")}${fill("1 to 100", "15")}${follow("Create code")}`,
    );
    await w3m.sees("Text browser");

    w3m.press(follow("QR List"));
    await w3m.sees("promotions");
    w3m.press(`${fill("Name or code", "Text browser")}${follow("Apply")}`);
    await w3m.sees("1 single code");
    w3m.press(`${find("Refresh")}${follow("Text browser")}`);
    await w3m.sees("Viewing <Text browser");
    // 'a' saves what a link leads to, in the working folder, under the name that it offers.
    w3m.press(`${find("PNG")}a\r`);
    const images = () => readdirSync(w3m.folder).filter((name) => name.endsWith(".png"));
    await expect.poll(images, { timeout: 20_000 }).toHaveLength(1);
    expect(decodeQr(readFileSync(path.join(w3m.folder, images()[0]!)))).toMatch(/^[2-9A-Z]{12}$/);
  },
);
