import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { sampleProducts } from "../../app/demo/store/sample-products";
import { loadProducts } from "../../app/demo/store/products.server";
import { textsOf } from "../support/html";
import { everyNth } from "../support/naughty-strings";
import { addUser, issueTokenOf, signInNewUser, useServer } from "../support/server";

/** The demo store: its screens with nothing but HTTP, and its calls. */
const server = useServer({ environment: { DEMO_PAGES: "1" } });
let cookie = "";
let token = "";

beforeAll(async () => {
  cookie = await signInNewUser();
  await addUser("store@example.com");
  token = await issueTokenOf("store@example.com");
});

const get = async (path: string) => {
  const answer = await server.send(path, { cookie });
  return { ...answer, body: answer.body.replaceAll("<!-- -->", "") };
};
const post = (path: string, body: Record<string, string>) =>
  server.send(path, { method: "POST", cookie, body });
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token, body });
const management = "/app/ecommerce/management";
const pricesOf = (html: string) =>
  [...html.matchAll(/data-label="Price"[^>]*>\$([\d.]+)</g)].map(([, price]) => Number(price));
const tickedOf = (html: string) =>
  html.match(/<input[^>]*form="bulk"[^>]*checked=""/g)?.length ?? 0;

const fields = {
  img: "boots-red",
  title: "Winter boots",
  subtitle: "Warm",
  price: "99,5",
  discount: "5",
  description_1: "One\ntwo",
  description_2: "",
  code: "W-1",
  hashtag: "#winter",
  technology: "wool  felt rubber",
  rating: "4.5",
};

describe("the table of products", () => {
  it("begins with the sample products", async () => {
    expect(sampleProducts).toMatchObject(await loadProducts());
  });

  it("shows five rows of twelve, the cheapest first, and pages through them", async () => {
    const first = await get(management);
    expect(first.body).toContain("12 products");
    expect(first.body).toContain("1–5 of 12");
    expect(pricesOf(first.body)).toEqual([29, 33, 36, 42, 68]);
    expect(pricesOf((await get(`${management}?page=3`)).body)).toEqual([129, 140]);
    expect(pricesOf((await get(`${management}?per_page=10`)).body)).toHaveLength(10);
    expect(textsOf(first.body, "option")).toEqual(["5", "10", "25"]);
  });

  it("sorts by another column descending, and by the same one the other way round", async () => {
    const sortLink = (html: string, heading: string) =>
      new RegExp(`href="${management}\\?([^"]*)"[^>]*>${heading}`).exec(html)![1];
    const byPrice = (await get(management)).body;
    expect(sortLink(byPrice, "Title")).toBe("sort=-title");
    expect(sortLink(byPrice, "Price")).toBe("sort=-price");
    const descending = (await get(`${management}?sort=-price`)).body;
    expect(pricesOf(descending)).toEqual([140, 129, 118, 112, 99]);
    expect(sortLink(descending, "Price")).toBe("sort=price");
  });

  it("searches titles with capital letters as they are, and says so", async () => {
    const found = await get(`${management}?search=Boot`);
    expect(found.body).toContain("4 products");
    expect(found.body).toContain("case-sensitive");
    expect((await get(`${management}?search=boot`)).body).toContain("No products found");
  });

  it("selects all of the filtered list, on other pages too, and clears the selection", async () => {
    const all = (await get(`${management}?selected=all`)).body;
    expect(tickedOf(all)).toBe(5);
    expect(all).toContain("12 selected, 7 on other pages");
    expect(all.match(/<input type="hidden" name="ids"/g)).toHaveLength(7);
    expect((await get(`${management}?search=Boot&selected=all`)).body).toContain("4 selected");
    expect(all).toContain(`href="${management}">Clear selection`);
    expect(tickedOf((await get(management)).body)).toBe(0);
  });
});

describe("the product form", () => {
  it("is refused with a key that is too long, and creates nothing", async () => {
    const values = { ...fields, title: "Refused boots", idempotency_key: "k".repeat(201) };
    const { status, body } = await post(`${management}/create`, values);
    expect(status).toBe(422);
    expect(body).toContain("The idempotency key must be 1 to 100 plain characters");
    expect(await db()("demo_products").where({ title: "Refused boots" })).toEqual([]);
  });

  it("creates a product once, splits its technology, and leads to the list", async () => {
    const form = (await get(`${management}/create`)).body;
    expect(textsOf(form, "h1")).toEqual(["New product"]);
    const key = /name="idempotency_key" value="([^"]+)"/.exec(form)![1]!;
    const answers = [1, 2].map(() =>
      post(`${management}/create`, { ...fields, idempotency_key: key }),
    );
    for (const { status, headers } of await Promise.all(answers)) {
      expect(status).toBe(303);
      expect(headers.location).toMatch(new RegExp(`^${management}\\?flash=`));
    }
    const created = await db()("demo_products").where({ title: "Winter boots" });
    expect(created).toHaveLength(1);
    expect(created[0]).toMatchObject({ price: 99.5, technology: ["wool", "felt", "rubber"] });
    const detail = (await get(`/app/ecommerce/product/${created[0].id}`)).body;
    for (const text of ["Winter boots", "W-1", "#winter", "felt", "32 reviews"])
      expect(detail).toContain(text);
  });

  it("stays with what was typed when a number is not one", async () => {
    const { status, body } = await post(`${management}/create`, { ...fields, price: "a lot" });
    expect(status).toBe(422);
    expect(body).toContain("Enter a number");
    expect(body).toContain('value="a lot"');
    expect(body).toContain("Winter boots");
    expect(textsOf(body, "title")[0]).toBe("Error: New product - Promo Console");
  });

  it("edits a product, and refuses an edit of an older version", async () => {
    const form = (await get(`${management}/edit/2`)).body;
    expect(textsOf(form, "h1")).toEqual(["Edit product"]);
    expect(form).toContain('value="Boots for wet weather"');
    expect(form).toMatch(/>Edit<\/button>/);
    expect(form).toContain(`href="${management}"`);
    const edit = { ...fields, title: "Boots", version: "1" };
    expect((await post(`${management}/edit/2`, edit)).status).toBe(303);
    const late = await post(`${management}/edit/2`, { ...edit, subtitle: "Late" });
    expect(late.status).toBe(409);
    expect(late.body).toContain("Someone else changed this product");
    expect((await db()("demo_products").where({ id: 2 }).first()).subtitle).toBe("Warm");
  });

  it("takes the numbers that the calls take", async () => {
    const { id } = (await call("POST", "/products", { rating: 4.333333333333333 })).json;
    const edit = { ...fields, rating: "4.333333333333333", price: "1e-7", version: "1" };
    expect((await post(`${management}/edit/${id}`, edit)).status).toBe(303);
    await call("DELETE", `/products/${id}`);
  });

  it("comes back as it was filled when somebody has deleted the product", async () => {
    const { id } = (await call("POST", "/products", { title: "Gone" })).json;
    await call("DELETE", `/products/${id}`);
    const edit = { ...fields, title: "A long new title", version: "1" };
    const { status, body } = await post(`${management}/edit/${id}`, edit);
    expect(status).toBe(409);
    expect(body).toContain("This product was deleted");
    expect(body).toContain('value="A long new title"');
    expect((await get(`${management}/edit/${id}`)).status).toBe(404);
  });

  it("accepts an edit again whose answer was lost", async () => {
    const edit = () => post(`${management}/edit/6`, { ...fields, version: "1" });
    expect([(await edit()).status, (await edit()).status]).toEqual([303, 303]);
    expect(await db()("demo_products").where({ id: 6 }).first()).toMatchObject({
      title: fields.title,
      version: 2,
    });
  });

  it("gives every text back as it was", { timeout: 600_000 }, async () => {
    for (const name of ["title", "subtitle", "description_1", "description_2", "code", "hashtag"])
      for (const text of everyNth(180)) {
        const { status } = await post(`${management}/create`, { ...fields, [name]: text });
        if (status === 422) continue;
        expect(status, `${name}: ${text}`).toBe(303);
        const newest = await db()("demo_products").orderBy("id", "desc").first();
        expect(newest[name].replace(/\r\n?/g, "\n")).toBe(text.replace(/\r\n?/g, "\n"));
        const page = (await get(`/app/ecommerce/product/${newest.id}`)).body;
        expect(page).not.toContain("<script>");
        await db()("demo_products").where({ id: newest.id }).delete();
      }
    for (const name of ["img", "price", "discount", "rating", "technology"])
      for (const text of everyNth(180)) {
        const { status } = await post(`${management}/create`, { ...fields, [name]: text });
        expect([303, 422], `${name}: ${text}`).toContain(status);
      }
    await db()("demo_products").where("id", ">", 13).delete();
  });
});

describe("deleting", () => {
  it("asks about one product, then about several, and deletes what was confirmed", async () => {
    const question = (await get(`${management}/delete?ids=3`)).body;
    expect(question).toContain("Flat sandals (3) will be deleted.");
    expect((await post(`${management}/delete?ids=3`, {})).headers.location).toContain(management);
    expect((await get("/app/ecommerce/product/3")).status).toBe(404);
    expect((await get(`${management}/delete?ids=4&ids=5`)).body).toContain("Delete 2 products");
    await post(`${management}/delete?ids=4&ids=5`, {});
    expect(await db()("demo_products").whereIn("id", [4, 5])).toEqual([]);
    const again = await post(`${management}/delete?ids=4`, {});
    expect((await get(again.headers.location!)).body).toContain("0 products deleted");
  });

  it("comes back to the same search, order and page from the button of a row", async () => {
    const { body } = await get(`${management}?search=o&sort=-title&page=2&ids=1`);
    const [, href] = /href="([^"]*\/delete[^"]*)"/.exec(body.replaceAll("&amp;", "&"))!;
    expect(href).toMatch(/\/delete\?search=o&sort=-title&page=2&ids=\d+$/);
    const { headers } = await post(href!, {});
    expect(headers.location).toContain("search=o&sort=-title&page=2");
  });

  it("asks for a selection when there is none", async () => {
    expect((await get(`${management}/delete`)).body).toContain("No product is selected.");
  });
});

describe("the product pages", () => {
  it("mark odd ids New and even ids Sale", async () => {
    expect((await get("/app/ecommerce/product/1")).body).toMatch(/>New<\/span>/);
    expect((await get("/app/ecommerce/product/2")).body).toMatch(/>Sale<\/span>/);
    expect((await get("/app/ecommerce/product")).body).toContain("DEMO-101");
    const { body } = await get("/app/ecommerce/product/7");
    expect(textsOf(body, "option").join(" ")).toBe("1 2 3 4 5 1 2 3 4 5 6 7");
    for (const text of ["Mastercard", "PayPal", "Visa", "American Express", "Free delivery"])
      expect(body).toContain(text);
  });

  it("filter the grid by each of six choices", async () => {
    const count = async (query: string) =>
      (await get(`/app/ecommerce/gridproducts?${query}`)).body.match(/<h3>/g)?.length ?? 0;
    const all = await count("");
    for (const query of ["type=boots", "brand=nike", "size=12.5", "color=black", "range=reduced"]) {
      const some = await count(query);
      expect(some, query).toBeGreaterThan(0);
      expect(some, query).toBeLessThan(all);
    }
    const cheapest = (await get("/app/ecommerce/gridproducts?sort=price")).body;
    const rated = (await get("/app/ecommerce/gridproducts?sort=favorite")).body;
    expect(textsOf(cheapest, "h3")).not.toEqual(textsOf(rated, "h3"));
    expect((await get("/app/ecommerce/gridproducts?size=99")).body).toContain("is ignored");
  });

  it("offer the sizes of the grid in ascending order", async () => {
    const { body } = await get("/app/ecommerce/gridproducts");
    const [, options] = /<select[^>]*name="size".*?>(.*?)<\/select>/s.exec(body)!;
    expect(textsOf(options!, "option").join(" ")).toBe("All 7 8 9 10 11 12 12.5 13");
  });
});

describe("the calls", () => {
  it("list products with six fields, and images as addresses", async () => {
    const { json } = await call("GET", "/products");
    expect(json[0]).toEqual({
      id: 1,
      title: "Trainers",
      subtitle: "Sneakers for every day",
      price: 76,
      rating: 4.6,
      img: expect.stringMatching(/^http:.*\/trainers-white\.svg$/),
    });
  });

  it("create with defaults, change and delete a product", async () => {
    const created = await call("POST", "/products", { title: "Api shoes", technology: ["a", "b"] });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      price: 0.1,
      rating: 5,
      discount: 0,
      technology: ["a", "b"],
    });
    const { id } = created.json;
    const changed = await call("PUT", `/products/${id}`, { ...created.json, price: 12 });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { id, title: "Api shoes", price: 12 },
    ]);
    expect((await call("DELETE", `/products/${id}`)).status).toBe(204);
    expect((await call("DELETE", `/products/${id}`)).status).toBe(404);
    expect((await call("PUT", `/products/${id}`, { title: "x" })).status).toBe(404);
  });

  it("create once for each Idempotency-Key of a user, and answer the same again", async () => {
    await addUser("buyer@example.com");
    const buyer = await issueTokenOf("buyer@example.com");
    const create = (title: string, sender = token, key = "product-1") => {
      const headers = { "Idempotency-Key": key };
      return server.call("POST", "/products", { token: sender, body: { title }, headers });
    };
    const first = await create("Once only");
    expect((await create("Another")).status).toBe(409);
    expect((await create("Once only", buyer)).json.id).not.toBe(first.json.id);
    await call("DELETE", `/products/${first.json.id}`);
    const { status, json } = await create("Once only");
    expect([status, json]).toEqual([201, first.json]);
    const made = (await loadProducts()).filter(({ title }) => title === "Once only");
    expect(made).toHaveLength(1);
    expect((await create("Once only", token, "x".repeat(201))).status).toBe(422);
    await call("DELETE", `/products/${made[0]!.id}`);
  });

  it("refuse what breaks a rule, as every call does", async () => {
    expect((await server.send("/products")).status).toBe(401);
    expect((await server.send("/products", { cookie })).status).toBe(401);
    expect((await call("PATCH", "/products")).status).toBe(405);
    expect((await call("POST", "/products", "{")).status).toBe(400);
    expect((await call("GET", "/products/1/2")).status).toBe(404);
    const wrong = await call("POST", "/products", {
      price: "12",
      img: "http://x/y.svg",
      colour: 1,
    });
    expect([wrong.status, wrong.json]).toMatchObject([
      422,
      {
        fields: {
          price: "Enter a number",
          img: "Choose one of the images",
          colour: expect.any(String),
        },
      },
    ]);
  });
});

describe("the list once all products are deleted", () => {
  it("says that there are none, and blames no search", async () => {
    await db()("demo_products").delete();
    const { body } = await get(management);
    expect(body).toContain("No products yet");
    expect(body).not.toContain("No title contains this text");
    const searched = await get(`${management}?search=Boots`);
    expect(searched.body).toContain("No title contains this text");
  });
});
