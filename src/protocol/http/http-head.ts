/** Status and headers of a reply. */
import {asText} from '../../json.ts';

export type HttpHead = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** @param name in lower case; of several headers, the first one counts */
export function headerOf(head: HttpHead, name: string): string | undefined {
	const value = head.headers[name];
	return asText(typeof value === 'string' ? value : value?.[0]);
}
