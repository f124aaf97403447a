// Asks the browser for a passkey, and posts what it answers with the form that carries the request.
const form = document.querySelector("form[data-passkey]");
const status = form.querySelector("[role=status]");
const button = form.querySelector("button");

const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

async function ask() {
  const { user, excludeCredentials = [], ...options } = JSON.parse(form.dataset.passkey);
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  if (!user) return navigator.credentials.get({ publicKey });
  publicKey.user = { ...user, id: toBytes(user.id) };
  publicKey.excludeCredentials = excludeCredentials.map((key) => ({ ...key, id: toBytes(key.id) }));
  return navigator.credentials.create({ publicKey });
}

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
    ...{ id, type, authenticatorAttachment, rawId: toText(rawId) },
    ...{ response: Object.fromEntries(sent), clientExtensionResults: {} },
  });
}

async function send() {
  button.hidden = true;
  status.textContent = "Your browser asks for your passkey.";
  try {
    form.elements.namedItem("credential").value = toJson(await ask());
    form.submit();
  } catch (error) {
    status.textContent =
      error.name === "InvalidStateError"
        ? "This device has a passkey of yours for this site already."
        : "No passkey was used. Try again, or go back.";
    button.hidden = false;
    button.focus();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
if (window.PublicKeyCredential) send();
else status.textContent = "This browser has no passkeys. Go back.";
