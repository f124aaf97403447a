/** APP_SECRET of the tests and of the products that they start on databases which they write to themselves. */
export const testSecret = "of the tests and nothing but the tests";
