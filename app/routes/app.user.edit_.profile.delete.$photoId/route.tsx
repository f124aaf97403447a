import { deletePhoto, getPhoto } from "../../features/people/photos.server";
import { orList } from "../../http/answers.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireUser,
  async ask({ params: { photoId = "" } }, session) {
    const photo = getPhoto(photoId, session.user.id);
    const { name, isUsed } = await orList(session, paths.accountProfile, photo);
    return {
      title: "Confirm deletion",
      question: `Delete the photo "${name}"?`,
      consequences: [
        isUsed
          ? "It is your avatar: your icon is shown instead. This can't be undone."
          : "This can't be undone.",
      ],
      verb: "Delete photo",
      pendingVerb: "Deleting...",
      isDangerous: true,
      closeTo: paths.accountProfile,
      failure: "Error deleting photo",
    };
  },
  async run({ params: { photoId = "" }, options }) {
    await deletePhoto(photoId, options);
    return { to: paths.accountProfile, text: "Photo deleted" };
  },
  gone: { to: paths.accountProfile, text: "This photo is already deleted." },
});
export { action, loader };

export const handle = { crumbs: { delete: "Delete photo" } };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
