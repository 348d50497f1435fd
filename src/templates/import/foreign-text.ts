/** Texts of other programs, whose variables are not ours. */

/** The places of ours where a prompt of other programs has all that is typed or piped in. */
export const inputPlaces = '$ARGUMENTS$INPUT';

/** Keeps dollars from being variables of ours. */
export function escapeDollars(text: string): string {
	return text.replace(/\$(?=[$1-9]|ARGUMENTS\b|INPUT\b)/g, '$$$$');
}
