/**
 * How often a screen shows what has come, in milliseconds: 30 times a second. Whoever brings it need
 * not be faster.
 */
export const frameMs = 33;
