/** A reply's status and headers. */
import {ChatError} from '../../errors.ts';
import {asText} from '../../json.ts';
import {redactUrl} from '../../redact.ts';

export type HttpHead = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** @param name in lower case; the first of several headers counts */
export function headerOf(head: HttpHead, name: string): string | undefined {
	const value = head.headers[name];
	return asText(typeof value === 'string' ? value : value?.[0]);
}

export function requestIdOf(head: HttpHead): string | undefined {
	return headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id');
}

/**
 * Makes an error from a redirect, which is never followed.
 *
 * @param setting where the user could name its target
 * @param otherwise hint for a redirect without a target
 */
export function redirectError(head: HttpHead, url: URL, setting: string, otherwise?: string) {
	const location = headerOf(head, 'location');
	const target = location !== undefined && URL.canParse(location, url.href);
	const where = target
		? `to ${redactUrl(new URL(location, url))}; redirects are not followed`
		: 'to no valid address';
	return new ChatError(
		'protocol',
		`${redactUrl(url)} answered ${head.status}: it redirects ${where}`,
		{
			status: head.status,
			requestId: requestIdOf(head),
			retryable: false,
			hint: target ? `If you trust that address, use it as ${setting}.` : otherwise,
		},
	);
}
