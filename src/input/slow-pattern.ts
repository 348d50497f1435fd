/** Tells patterns that a regular expression matches too slowly. */

/** The most stars in a name: each further one multiplies the time by the length of the name. */
const maxStars = 4;

/**
 * Whether one name of a path has many stars, the path many `**`, or groups repeat. Threat: `*a*a*a*a*a*b`
 * from somebody else, which takes hours for a long name.
 */
export function isSlowPattern(pattern: string): boolean {
	const names = pattern.split('/');
	const starsOf = (name: string) => name.replace(/\*{2,}/g, '*').match(/\*/g)?.length ?? 0;
	const deep = names.filter((name) => name.includes('**')).length;
	const groups = pattern.match(/[*+?@!]\(/g)?.length ?? 0;
	return deep > maxStars || groups > 1 || names.some((name) => starsOf(name) > maxStars);
}
