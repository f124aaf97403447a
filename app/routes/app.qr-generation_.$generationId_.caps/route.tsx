import { rerenderForm } from "../../forms/validator";

export { action, loader } from "../_caps/caps.server";
export { CapsPage as default, handle, meta } from "../_caps/page";
export const clientAction = rerenderForm("Error updating caps");
