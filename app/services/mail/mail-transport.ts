/** A mail with its final texts. */
export type OutgoingMail = {
  /** The same in each attempt, so that a mailbox can drop a repeated mail. */
  messageId: string;
  createdAt: Date;
  /** One checked address. */
  recipient: string;
  /** The sender's name, unless MAIL_FROM has one. */
  senderName: string;
  /** Without control characters. */
  subject: string;
  text: string;
  html: string;
  /** CSV files as texts, and PNG images. */
  attachments: readonly { name: string; content: string | Buffer }[];
};

export type MailTransport = {
  /**
   * Resolves once the mail was accepted.
   * @param signal ends the attempt, which then rejects
   * @throws MailError
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
};

/** A mail was not accepted. The message is a sentence for admins, without secrets. */
export class MailError extends Error {
  override name = "MailError";

  /**
   * @param kind `rejected`: the server will never accept this mail; `deferred`: it may later;
   *   `unreachable`: no mail can be sent at the moment
   */
  constructor(
    readonly kind: "rejected" | "deferred" | "unreachable",
    message: string,
  ) {
    super(message);
  }
}
