export { loader } from "../_labels/loader.server";
export { handle, LabelsPage as default, meta } from "../_labels/page";
