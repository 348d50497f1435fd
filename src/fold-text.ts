/** Returns a form in which texts are equal whatever their case and their accents. */
export function foldText(text: string): string {
	// Most texts are ASCII, and this takes a tenth of the time.
	const isPlain = !/[^\0-\x7f]/.test(text);
	return (isPlain ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
}
