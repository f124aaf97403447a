/** A list under a name: its filters, order and columns, as its URL has them. */
export type SavedView = {
  id: string;
  name: string;
  parameters: string;
  /** Whether the QR List opens with it. */
  isDefault: boolean;
  isShared: boolean;
  version: number;
  /** Name of the user who shares it; null for a view of the reader. */
  sharedBy: string | null;
  /** Whether its owner is still a user. */
  isOwned: boolean;
  /** Whether the reader may rename, share and delete it. */
  isEditable: boolean;
};
