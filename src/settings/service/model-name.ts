/** Model names of the specification (§2.1). */

const tiers = ['sol', 'terra', 'luna'];

/** Expands `sol` to `MODEL-5.6-sol`. Any other name is sent as it is, in its case. */
export function expandModelName(name: string, family: string): string {
	return tiers.includes(name) ? `${family}-5.6-${name}` : name;
}

/** Whether a model is known not to accept images (§2.2: only the sol tier does). */
export function isTierWithoutImages(model: string): boolean {
	return /-5\.6-(terra|luna)$/.test(model);
}
