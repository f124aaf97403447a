/** Facts of the demo area for the tests of all forms and actions. */
import { db } from "../../app/db/connection.server";
import {
  createProductValidator,
  editProductValidator,
  productDefaults,
  toFields,
} from "../../app/demo/store/product";
import {
  browserOnly,
  post,
  unaudited,
  type ActionCasesOfScreens,
  type Walker,
} from "../support/action-cases/walk";

const reason = "The demo area holds nothing of the product.";
const product = toFields({ ...productDefaults, title: "Tea" });
const calendar = "/app/extra/calendar";
const management = "/app/ecommerce/management";

/** Opens the calendar, which begins with samples, and returns the id of one. */
async function openCalendar({ server }: Walker, cookie: string): Promise<string> {
  const { body } = await server.send(calendar, { cookie });
  return /move=(\d+)/.exec(body)![1]!;
}

export const demoActionCases: ActionCasesOfScreens = {
  "demo/routes/app.extra.calendar": {
    add: unaudited(reason, async () =>
      post(calendar, { intent: "add", title: "Lunch", day: "2026-01-05" }),
    ),
    move: unaudited(reason, async (walker) => {
      const { cookie } = await walker.person();
      const event = await openCalendar(walker, cookie);
      return { ...post(calendar, { intent: "move", event, day: "05/01/2026" }), cookie };
    }),
  },
  "demo/routes/app.grid": unaudited(browserOnly, async () =>
    post("/app/grid", { widget: "x", direction: "up" }),
  ),
  "demo/routes/app.ui.modal.$dialog": unaudited(reason, async () => post("/app/ui/modal/live")),
  "demo/routes/app.ecommerce.management_.create": unaudited(reason, async () =>
    post(`${management}/create`, product),
  ),
  "demo/routes/app.ecommerce.management_.edit.$productId": unaudited(reason, async () => {
    const [version] = await db()("demo_products").where({ id: 1 }).pluck<number[]>("version");
    return post(`${management}/edit/1`, { ...product, version: String(version) });
  }),
  "demo/routes/app.ecommerce.management.delete": unaudited(reason, async () =>
    post(`${management}/delete?ids=2`),
  ),
};

/** The rules that browsers check. */
export const demoRules = {
  "app.ecommerce.management_.create ": createProductValidator,
  "app.ecommerce.management_.edit.$productId ": editProductValidator,
};

/** Values for the parameters of its routes. */
export const demoParams = {
  dialog: "form",
  productId: "1",
  section: "ui",
  page: "badge",
  name: "bali",
};

/** Further states of its pages, which show other forms. */
export async function demoVariants(walker: Walker, cookie: string): Promise<string[]> {
  const event = await openCalendar(walker, cookie);
  return [`${calendar}?new=2026-01-05`, `${calendar}?move=${event}`, `${management}/delete?ids=2`];
}
