import { confirmGeneration } from "../../http/lifecycle-routes.server";

const { loader, action } = confirmGeneration("delete");
export { action, loader };
export { clientAction } from "../../features/promotions/list/unselect-deleted";
export { meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
