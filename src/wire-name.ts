/** Names of the request conventions, as settings and output spell them. */
export const wireNames = ['chat', 'responses', 'messages'] as const;

export type WireName = (typeof wireNames)[number];
