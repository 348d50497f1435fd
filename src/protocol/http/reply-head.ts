/** Status and headers of a reply. */
import {asText} from '../json-values.ts';

export type ReplyHead = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The header of this name, in lower case; the first of several, undefined if it is empty. */
export function headerOf(head: ReplyHead, name: string): string | undefined {
	const value = head.headers[name];
	return asText(typeof value === 'string' ? value : value?.[0]);
}
