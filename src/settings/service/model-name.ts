/** The short names of the tiers that the specification (§2.1) names. */

const tiers = ['sol', 'terra', 'luna'];

/** `sol` to `MODEL-5.6-sol`; any other name is sent as it is, its case kept. */
export function expandModelName(name: string, family: string): string {
	return tiers.includes(name) ? `${family}-5.6-${name}` : name;
}

/** Whether the model is known to take no images (§2.2 documents them for the sol tier only). */
export function isTierWithoutImages(model: string): boolean {
	return /-5\.6-(terra|luna)$/.test(model);
}
