import { requireProductEditor } from "../demo.server";
import { managementPath } from "../store/product-list";
import { deleteProducts, loadProducts } from "../store/products.server";
import { countOf } from "../../format/number";
import { pageSearch } from "../../lists/list-params";
import { confirmRoute } from "../../http/confirm-route.server";

export const handle = { hydrate: false };

const chosenIds = (request: Request) => new URL(request.url).searchParams.getAll("ids");

const { loader, action } = confirmRoute({
  guard: requireProductEditor,
  async ask({ request }) {
    const ids = chosenIds(request);
    const chosen = (await loadProducts()).filter(({ id }) => ids.includes(String(id)));
    const names = chosen.slice(0, 10).map(({ id, title }) => `${title || "Untitled"} (${id})`);
    const more = chosen.length - names.length;
    return {
      title: chosen.length === 1 ? "Delete product" : "Delete products",
      consequences:
        chosen.length === 0
          ? ["No product is selected. Select products in the list first."]
          : [
              `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} will be deleted.`,
              "This can’t be undone.",
            ],
      verb: chosen.length === 0 ? null : `Delete ${countOf(chosen.length, "product")}`,
      pendingVerb: "Deleting...",
      isDangerous: true,
      closeTo: managementPath,
      returnFocusTo: "table",
      failure: "The products could not be deleted.",
    };
  },
  async run({ request }) {
    const count = await deleteProducts(chosenIds(request));
    const to = managementPath + pageSearch(new URL(request.url).searchParams, ["ids", "selected"]);
    return {
      to,
      text: `${countOf(count, "product")} deleted`,
      kind: count === 0 ? "info" : "success",
    };
  },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
