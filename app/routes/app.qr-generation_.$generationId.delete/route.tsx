import { confirmGeneration } from "../../http/lifecycle-routes.server";

const { loader, action } = confirmGeneration("delete");
export { action, loader };
export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
