/** Model names of the specification (§2.1). */

const tiers = ['sol', 'terra', 'luna'];

/** Expands `sol`, the default, to `MODEL-5.6-sol`. Any other name is sent as it is, in its case. */
export function expandModelName(name: string | undefined, family: string): string {
	const chosen = name ?? 'sol';
	return tiers.includes(chosen) ? `${family}-5.6-${chosen}` : chosen;
}

/** Whether a model is known not to accept images (§2.2: only the sol tier does). */
export function isTierWithoutImages(model: string): boolean {
	return /-5\.6-(terra|luna)$/.test(model);
}
