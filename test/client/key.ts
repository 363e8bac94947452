import fc from "fast-check";

/** Arbitrary API key of printable ASCII characters except `*`, the character of the mask. */
export const key = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => !text.includes("*"));
