const forbidden = String.raw`\s@<>()[\]\\,;:"\p{Cc}\p{Surrogate}`;
const address = new RegExp(`^[^${forbidden}]+@[^${forbidden}.]+(\\.[^${forbidden}.]+)+$`, "u");

/** Whether mail may be sent to it: one at-sign, a domain with a dot, and nothing that ends a header line or a command. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && address.test(text);
}

export const emailAddressMessage = "Enter an email address, like name@example.com";
