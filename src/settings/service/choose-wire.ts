/** Chooses a service's request convention. */
import {hostedProviders} from '../../providers.ts';
import type {WireName} from '../../wire-name.ts';

/** Address ends that name a convention. */
const operations: readonly (readonly [end: RegExp, wire: WireName])[] = [
	[/\/chat\/completions\/*$/, 'chat'],
	[/\/responses\/*$/, 'responses'],
	[/\/messages\/*$/, 'messages'],
];

/**
 * The setting counts first, then the base URL's end, then the provider.
 *
 * @param baseUrl undefined: the built-in service
 */
export function chooseWire(baseUrl: URL | undefined, setting: WireName | 'auto'): WireName {
	if (setting !== 'auto') return setting;
	const {origin, pathname} = baseUrl ?? {origin: '', pathname: ''};
	const named = operations.find(([end]) => end.test(pathname));
	if (named !== undefined) return named[1];
	return hostedProviders.find(({baseUrl}) => baseUrl.startsWith(`${origin}/`))?.wire ?? 'chat';
}
