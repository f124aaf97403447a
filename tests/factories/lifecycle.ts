/** Actions on one promotion or on a whole mass generation, as routes and the API do them. */
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";

type Subject = Parameters<typeof changeLifecycle>[0];
type Action = Parameters<typeof changeLifecycle>[1];
type Options = Parameters<typeof changeLifecycle>[2];

const changeOf = (type: Subject["type"], action: Action) => (id: string, options: Options) =>
  changeLifecycle({ type, id }, action, options);

export const deactivatePromotion = changeOf("promotion", "deactivate");
/** For admins, and for ten minutes for whoever deactivated it. */
export const reactivatePromotion = changeOf("promotion", "reactivate");
/** Deletes a single promotion, or the whole mass generation that the code belongs to. */
export const deletePromotion = changeOf("promotion", "delete");
/** For admins. Restores the whole mass generation that the code belongs to. */
export const restorePromotion = changeOf("promotion", "restore");
export const deleteMassGeneration = changeOf("mass_generation", "delete");
export const restoreMassGeneration = changeOf("mass_generation", "restore");
