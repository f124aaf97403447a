/** Asks browsers for passkeys. Pages that are not hydrated load it as their only script. */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
/** @param {ArrayBuffer} buffer */
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

/** @param {any} request @param {AbortSignal} signal */
async function ask({ user, excludeCredentials = [], ...options }, signal) {
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  if (!user) return navigator.credentials.get({ publicKey, signal });
  publicKey.user = { ...user, id: toBytes(user.id) };
  publicKey.excludeCredentials = excludeCredentials.map((/** @type {any} */ key) => ({
    ...key,
    id: toBytes(key.id),
  }));
  return navigator.credentials.create({ publicKey, signal });
}

/** @param {any} credential */
function toJson({ id, rawId, type, authenticatorAttachment, response }) {
  const parts = [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ];
  const sent = parts.filter((part) => response[part]).map((part) => [part, toText(response[part])]);
  return JSON.stringify({
    id,
    type,
    authenticatorAttachment,
    rawId: toText(rawId),
    response: Object.fromEntries(sent),
    clientExtensionResults: {},
  });
}

/** What withdraws the question of a form. @type {WeakMap<HTMLFormElement, () => void>} */
const started = new WeakMap();

/**
 * Asks the browser for a passkey, once for each form, and sends what it answers with the form that carries the request.
 * @param {HTMLFormElement} form
 * @returns withdraws the question
 */
export function startPasskey(form) {
  const earlier = started.get(form);
  if (earlier) return earlier;
  let question = new AbortController();
  const withdraw = () => question.abort();
  started.set(form, withdraw);
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const button = /** @type {HTMLElement} */ (form.querySelector("button:not([type=button])"));
  const credential = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));

  async function send() {
    question = new AbortController();
    button.hidden = true;
    status.textContent = "Your browser asks for your passkey.";
    try {
      credential.value = toJson(await ask(JSON.parse(form.dataset.passkey ?? ""), question.signal));
    } catch (error) {
      status.textContent =
        error instanceof Error && error.name === "InvalidStateError"
          ? "This device has a passkey of yours for this site already."
          : "No passkey was used. Try again, or go back.";
      button.hidden = false;
      button.focus();
      return;
    }
    status.textContent = "";
    form.requestSubmit();
  }

  form.addEventListener("submit", (event) => {
    // An answer that did not reach the server is sent again.
    if (credential.value) return;
    event.preventDefault();
    void send();
  });
  if (window.PublicKeyCredential) void send();
  else status.textContent = "This browser has no passkeys. Go back.";
  return withdraw;
}

if (globalThis.document)
  for (const form of document.querySelectorAll("form"))
    if (form.dataset.passkey) startPasskey(form);
